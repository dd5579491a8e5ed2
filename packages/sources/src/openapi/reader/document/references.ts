import { isObject, own } from '../../../document/json.ts';
import { JsonPointer, type Located } from '../../../document/json-pointer.ts';
import type { Warnings } from '../../../document/warnings.ts';
import { normaliseUrl } from '../../../reader/document-files.ts';
import { UnusableDocumentError } from '../document/document.ts';
import { anchorsOf } from './anchors.ts';
import type { Document } from './document.ts';

/** A referenced document, or the reason why it is not available. */
export type Fetched = { root: unknown; url: string } | { refused: string };

/** Longer than any real chain of references. */
const maxSteps = 50;
/** Limit for fetched documents. Uploaded files are not limited. */
const maxFetched = 200;

/**
 * Resolves references: within a document by pointer, anchor or id, and to other documents, which are fetched on demand. A broken
 * reference adds a warning and resolves to undefined.
 */
export class References {
  readonly #fetch: (url: string) => Fetched;
  readonly #warnings: Warnings;
  readonly #documents = new Map<string, Document | { refused: string }>();
  #fetched = 0;
  readonly #found = new Map<Document, Map<string, Located | undefined>>();

  constructor(main: Document, warnings: Warnings, fetch: (url: string) => Fetched) {
    this.#fetch = fetch;
    this.#warnings = warnings;
    if (main.url !== undefined) this.#documents.set(withoutFragment(main.url), main);
  }

  /** Resolves a value through any chain of references. */
  follow({ value, pointer }: Located): Located | undefined {
    let current: Located = { value, pointer };
    for (let step = 0; step < maxSteps; step++) {
      const reference = own(current.value, '$ref');
      if (typeof reference !== 'string') return current;
      const target = this.resolve(reference, current.pointer);
      if (target === undefined) return undefined;
      current = target;
    }
    this.#warnings.add(pointer, 'This reference points to itself. Executor ignored it.');
    return undefined;
  }

  /** Resolves a reference at this pointer. The same target gives the same object each time. */
  resolve(reference: string, pointer: JsonPointer): Located | undefined {
    const target = this.find(reference, pointer);
    if (target === undefined) {
      const reason = this.#reasonFor(reference, pointer.document);
      this.#warnings.add(pointer, `The reference ${shorten(reference)} cannot be resolved${reason}.`);
    }
    return target;
  }

  /** Resolves without adding a warning. */
  find(reference: string, pointer: JsonPointer): Located | undefined {
    const { document } = pointer;
    const found = this.#found.get(document) ?? new Map<string, Located | undefined>();
    this.#found.set(document, found);
    if (!found.has(reference)) {
      // A reference that is met again while it is being resolved is a cycle.
      found.set(reference, undefined);
      found.set(reference, this.#find(reference, pointer));
    }
    return found.get(reference);
  }

  #find(reference: string, pointer: JsonPointer): Located | undefined {
    const [address = '', fragment = ''] = splitOnce(reference, '#');
    if (address === '') return this.#within(pointer.document, fragment);
    const named = anchorsOf(pointer.document).ids.get(address);
    if (named) return fragment === '' ? named : this.#walk(named, fragment);
    const component = fragment === '' ? componentNamed(pointer.document, address) : undefined;
    if (component) {
      this.#warnings.add(
        pointer,
        `The reference ${shorten(reference)} has no #. Executor used the schema of that name.`,
      );
      return component;
    }
    const other = this.#open(address, pointer.document);
    return other && 'root' in other ? this.#within(other, fragment) : undefined;
  }

  #reasonFor(reference: string, document: Document): string {
    const [address = ''] = splitOnce(reference, '#');
    if (address === '') return '';
    const opened = this.#open(address, document);
    return opened && 'refused' in opened ? `: ${opened.refused.replace(/\.$/, '')}` : '';
  }

  #within(document: Document, fragment: string): Located | undefined {
    const root = { value: document.root, pointer: JsonPointer.root(document) };
    const text = decoded(fragment);
    if (text === '' || text === '/') return root;
    if (!text.startsWith('/')) return anchorsOf(document).anchors.get(text);
    return this.#walk(root, text) ?? (text === fragment ? undefined : this.#walk(root, fragment));
  }

  #walk(from: Located, path: string): Located | undefined {
    let current = from;
    for (const token of path.split('/').slice(1)) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
      const holder = hasKey(current.value, key) ? current : this.follow(current);
      if (holder === undefined || !hasKey(holder.value, key)) return undefined;
      current = { value: (holder.value as Record<string, unknown>)[key], pointer: holder.pointer.at(key) };
    }
    return current;
  }

  #open(address: string, from: Document): Document | { refused: string } | undefined {
    const url = absolute(address, from.url);
    if (url === undefined) {
      return {
        refused: 'the document was passed as text without that file',
      };
    }
    const known = this.#documents.get(url);
    if (known) return known;
    if (/^https?:/.test(url)) this.#countFetched();
    const fetched = this.#fetch(url);
    const document = 'refused' in fetched ? fetched : { main: false, url: fetched.url, root: fetched.root };
    this.#documents.set(url, document);
    return document;
  }

  #countFetched(): void {
    this.#fetched += 1;
    if (this.#fetched > maxFetched)
      throw new UnusableDocumentError(
        `The document references more than ${maxFetched} other documents. Bundle them into one.`,
      );
  }
}

/** Old documents write `$ref: Pet` for a definition. */
function componentNamed(document: Document, name: string): Located | undefined {
  for (const keys of [['components', 'schemas'], ['definitions']]) {
    let current: Located = { value: document.root, pointer: JsonPointer.root(document) };
    for (const key of keys) current = { value: own(current.value, key), pointer: current.pointer.at(key) };
    if (isObject(current.value) && Object.hasOwn(current.value, name)) {
      return { value: current.value[name], pointer: current.pointer.at(name) };
    }
  }
  return undefined;
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

function absolute(address: string, base: string | undefined): string | undefined {
  try {
    return normaliseUrl(withoutFragment(new URL(address, base).href));
  } catch {
    return undefined;
  }
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function shorten(reference: string): string {
  return reference.length > 200 ? `${reference.slice(0, 200)}…` : reference;
}
