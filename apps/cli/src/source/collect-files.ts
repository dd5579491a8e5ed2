import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { type DocumentFiles, ExecutorError } from '@executor/protocol';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

/*
 * A document in several files is sent with its files, because the server does not read files of this machine. Only files in the folder of the
 * document or below it are read, so that an untrusted document cannot collect other files.
 */

const maxFiles = 1_000;
/** YAML aliases can expand beyond any limit. */
const maxNodes = 5_000_000;
const schema = CORE_SCHEMA.withTags(mergeTag);

/** The files that a document refers to, directly or not. Undefined if there are none or the document cannot be parsed here. */
export function collectFiles(path: string, text: string): DocumentFiles | undefined {
  if (!/\$ref["']?\s*:\s*["']?(?!["'#]|https?:)[^\s"']/.test(text)) return undefined;
  const collection = new Collection(realpathSync(path));
  collection.walk(parse(text), collection.main);
  if (collection.texts.size === 0) return undefined;
  return { main: basename(collection.main), others: collection.named() };
}

class Collection {
  readonly texts = new Map<string, string>();
  readonly #folder: string;
  #nodes = 0;

  constructor(readonly main: string) {
    this.#folder = dirname(main);
  }

  named(): Record<string, string> {
    return Object.fromEntries([...this.texts].map(([file, text]) => [this.#name(file), text]));
  }

  /** Every reference in a file. */
  walk(value: unknown, file: string): void {
    this.#nodes += 1;
    if (this.#nodes > maxNodes) throw tooLarge(this.main);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$ref' && typeof inner === 'string') this.#follow(inner, file);
      else if (key === 'discriminator') this.#walkMapping(inner, file);
      this.walk(inner, file);
    }
  }

  /** A discriminator names schemas, or refers to them. */
  #walkMapping(discriminator: unknown, file: string): void {
    const mapping = (discriminator as { mapping?: unknown } | null)?.mapping;
    if (typeof mapping !== 'object' || mapping === null) return;
    for (const target of Object.values(mapping))
      if (typeof target === 'string' && /[#/.]/.test(target)) this.#follow(target, file);
  }

  /** A missing file is skipped. The server reports the reference. */
  #follow(reference: string, from: string): void {
    const [address = ''] = reference.split('#');
    if (address === '' || /^[a-z][\w+.-]*:/i.test(address)) return;
    // Named as in the document, but checked by the real path, which links may change.
    const file = resolve(dirname(from), decoded(address));
    const real = realPath(file);
    if (real === undefined || file === this.main) return;
    if (![file, real].every((path) => path.startsWith(this.#folder + sep)))
      throw new ExecutorError(
        'usage',
        `${relative(this.#folder, from)} refers to ${address}, which is not in the folder of the document. Move the document to a folder that contains all its files.`,
      );
    if (this.texts.has(file)) return;
    if (this.texts.size >= maxFiles) throw tooLarge(this.main);
    const text = readFileSync(real, 'utf8');
    this.texts.set(file, text);
    this.walk(parse(text), file);
  }

  #name(file: string): string {
    return relative(this.#folder, file).split(sep).join('/');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseYaml(text);
  }
}

function parseYaml(text: string): unknown {
  try {
    return load(text, { schema });
  } catch {
    return undefined;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

function tooLarge(path: string): ExecutorError {
  return new ExecutorError(
    'usage',
    `${path} is too large together with the files that it refers to: more than ${maxFiles.toLocaleString('en')} files or ${maxNodes.toLocaleString('en')} values. Add a part of it.`,
  );
}
