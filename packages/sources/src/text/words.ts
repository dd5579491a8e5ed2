/** Splits a name into words: `listPets`, `list_pets`, `pets/list-all`, `getHTTPStatus`. Any script; accents of Latin letters are removed. */
export function wordsOf(name: string): string[] {
  const cached = cache.get(name);
  if (cached) return cached;
  const words = split(name.slice(0, 500));
  if (cache.size < maxCached) cache.set(name, words);
  return words;
}

/** Cached, because many operations share tags and segments. */
const cache = new Map<string, string[]>();
const maxCached = 100_000;

function split(name: string): string[] {
  return (
    name
      .normalize('NFKD')
      .replace(/([A-Za-z])[\u0300-\u036f]+/g, '$1')
      .normalize('NFC')
      // Invisible characters.
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replace(/['’]/g, '')
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      // Characters that an identifier may contain, except for separators.
      .split(/[^\p{L}\p{Nd}\p{Nl}\p{M}]+/u)
      .filter((word) => word !== '')
  );
}

/** Names with a special meaning as a property in code. */
const reserved = new Set(['then', 'constructor', 'prototype', 'toJSON', 'toString', 'valueOf', '__proto__']);
const maxNameChars = 64;

export function isReservedName(name: string): boolean {
  return reserved.has(name);
}

/** Joins words in camel case; empty without words. A name that is too long keeps its first word and as many of the last words as fit. */
export function camelCase(words: string[]): string {
  const parts = words.map((word, index) => (index === 0 ? lowerFirst(word) : capitalised(word)));
  const [first = ''] = parts;
  let end = '';
  for (const part of parts.slice(1).reverse()) {
    if (first.length + end.length + part.length > maxNameChars) break;
    end = `${part}${end}`;
  }
  const name = `${first}${end}`.slice(0, maxNameChars).replace(/[\ud800-\udbff]$/, '');
  if (isReservedName(name)) return `${name}_`;
  return name === '' || /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}

/** `URL` is `url`, `Pets` is `pets`; `GitHub` was split into two words before. */
function lowerFirst(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : `${word.charAt(0).toLowerCase()}${word.slice(1)}`;
}

function capitalised(word: string): string {
  const tail = word.length > 1 && word === word.toUpperCase() ? word.slice(1).toLowerCase() : word.slice(1);
  return `${word.charAt(0).toUpperCase()}${tail}`;
}
