/** The words of a name, whatever separates them: `listPets`, `list_pets`, `pets/list-all`, `getHTTPStatus`. Letters and digits of any script; Latin ones without their accents. */
export function wordsOf(name: string): string[] {
  const known = remembered.get(name);
  if (known) return known;
  const words = split(name.slice(0, 500));
  if (remembered.size < maxRemembered) remembered.set(name, words);
  return words;
}

/** The same tags and segments come again with every operation. */
const remembered = new Map<string, string[]>();
const maxRemembered = 100_000;

function split(name: string): string[] {
  return (
    name
      .normalize('NFKD')
      .replace(/([A-Za-z])[\u0300-\u036f]+/g, '$1')
      .normalize('NFC')
      // What nobody can see, or type.
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replace(/['’]/g, '')
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      // What an identifier is made of, but for the signs between words.
      .split(/[^\p{L}\p{Nd}\p{Nl}\p{M}]+/u)
      .filter((word) => word !== '')
  );
}

/** These would lead elsewhere when code writes them after a dot. */
const reserved = new Set(['then', 'constructor', 'prototype', 'toJSON', 'toString', 'valueOf', '__proto__']);
const longest = 64;

/** The words as one identifier in camel case; empty where there are none. Of too many, the first and as many of the last as fit. */
export function camelCase(words: string[]): string {
  const parts = words.map((word, index) => (index === 0 ? lowerFirst(word) : capitalised(word)));
  const [first = ''] = parts;
  let rest = '';
  for (const part of parts.slice(1).reverse()) {
    if (first.length + rest.length + part.length > longest) break;
    rest = `${part}${rest}`;
  }
  const name = `${first}${rest}`.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
  if (reserved.has(name)) return `${name}_`;
  return name === '' || /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}

/** `URL` becomes `url`, `Pets` becomes `pets`; `GitHub` was two words already. */
function lowerFirst(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : `${word.charAt(0).toLowerCase()}${word.slice(1)}`;
}

function capitalised(word: string): string {
  const rest = word.length > 1 && word === word.toUpperCase() ? word.slice(1).toLowerCase() : word.slice(1);
  return `${word.charAt(0).toUpperCase()}${rest}`;
}
