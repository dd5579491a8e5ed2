import { readFileSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { ExecutorError } from '@executor/protocol';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

/*
 * A document in several files becomes one, because the server does not read files of this machine: what the files hold is put under `x-files`,
 * by their paths from the folder of the document, and references to them lead there. Only files in that folder or below are read, so that a
 * document from elsewhere cannot take others with it.
 */

type Json = Record<string, unknown>;

const mostFiles = 1_000;
/** Aliases of YAML can stand for more than there is room for. */
const mostNodes = 5_000_000;
const schema = CORE_SCHEMA.withTags(mergeTag);

/** The text of a document with the files that it refers to; the very same where it refers to none, or cannot be read here. */
export function bundleFiles(path: string, text: string): string {
  if (!/\$ref["']?\s*:\s*["']?(?!["'#]|https?:)[^\s"']/.test(text)) return text;
  const root = parse(text);
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return text;
  const bundle = new Bundle(realpathSync(path));
  const document = bundle.copy(root, bundle.main) as Json;
  return bundle.files.size === 0 ? text : JSON.stringify({ ...document, 'x-files': bundle.contents() });
}

class Bundle {
  readonly files = new Map<string, unknown>();
  readonly #folder: string;
  #nodes = 0;

  constructor(readonly main: string) {
    this.#folder = dirname(main);
  }

  contents(): Json {
    return Object.fromEntries([...this.files].map(([file, content]) => [this.#name(file), content]));
  }

  /** A value of a file, its references as they are in the whole. */
  copy(value: unknown, file: string): unknown {
    this.#nodes += 1;
    if (this.#nodes > mostNodes) throw tooLarge(this.main);
    if (Array.isArray(value)) return value.map((item) => this.copy(item, file));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, this.#copyOf(key, inner, file)]),
    );
  }

  #copyOf(key: string, value: unknown, file: string): unknown {
    if (key === '$ref' && typeof value === 'string') return this.#reference(value, file);
    const copied = this.copy(value, file);
    return key === 'discriminator' ? this.#withMapping(copied as Json, file) : copied;
  }

  /** A discriminator names schemas, or refers to them. */
  #withMapping(discriminator: Json, file: string): Json {
    const mapping = discriminator?.mapping;
    if (typeof mapping !== 'object' || mapping === null) return discriminator;
    const entries = Object.entries(mapping).map(([value, target]) => [
      value,
      typeof target === 'string' && /[#/.]/.test(target) ? this.#reference(target, file) : target,
    ]);
    return { ...discriminator, mapping: Object.fromEntries(entries) };
  }

  #reference(reference: string, from: string): string {
    const [address = '', fragment = ''] = reference.split(/#(.*)/s);
    if (/^[a-z][\w+.-]*:/i.test(address)) return reference;
    const file = address === '' ? from : this.#open(address, from);
    if (file === undefined || file === this.main) return file === undefined ? reference : `#${fragment}`;
    const name = encodeURIComponent(this.#name(file).replaceAll('~', '~0').replaceAll('/', '~1'));
    return `#/x-files/${name}${fragment}`;
  }

  /** Undefined where there is no such file: what was meant is for the server to find out. */
  #open(address: string, from: string): string | undefined {
    const file = realPath(resolve(dirname(from), decoded(address)));
    if (file === undefined) return undefined;
    if (file !== this.main && !file.startsWith(this.#folder + sep))
      throw new ExecutorError(
        'usage',
        `${relative(this.#folder, from)} refers to ${address}, which is not in the folder of the document. Put a document beside or above everything that it refers to.`,
      );
    if (file === this.main || this.files.has(file)) return file;
    if (this.files.size >= mostFiles) throw tooLarge(this.main);
    // Known before it is read: files refer to each other.
    this.files.set(file, null);
    this.files.set(file, this.copy(parse(readFileSync(file, 'utf8')), file));
    return file;
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
    `${path} is too large together with the files that it refers to: more than ${mostFiles.toLocaleString('en')} files or ${mostNodes.toLocaleString('en')} values. Add a part of it.`,
  );
}
