import { oneAddress } from '../document-files.ts';
import { Refusal } from '../refusal.ts';
import { anchorsOf } from './anchors.ts';
import type { Document } from './document.ts';
import { isObject, own } from './json.ts';
import { type Located, Place } from './place.ts';
import type { Warnings } from './warnings.ts';

/** A referenced document, or the reason why it is not available. */
export type Fetched = { root: unknown; url: string } | { refused: string };

/** Longer than any real chain of references. */
const maxSteps = 50;
/** Limit for fetched documents. Uploaded files are not limited. */
const maxFetched = 200;

/**
 * Resolves references: within a document by pointer, anchor or id, and to other documents, which are fetched on demand. A broken
 * reference adds a warning at its position and resolves to undefined.
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
  follow({ value, place }: Located): Located | undefined {
    let current: Located = { value, place };
    for (let step = 0; step < maxSteps; step++) {
      const reference = own(current.value, '$ref');
      if (typeof reference !== 'string') return current;
      const target = this.resolve(reference, current.place);
      if (target === undefined) return undefined;
      current = target;
    }
    this.#warnings.add(place, 'This reference points to itself.');
    return undefined;
  }

  /** Resolves a reference written at this position. The same target gives the same object each time. */
  resolve(reference: string, place: Place): Located | undefined {
    const target = this.find(reference, place);
    if (target === undefined) {
      const why = this.#why(reference, place.document);
      this.#warnings.add(place, `The reference ${shown(reference)} leads nowhere${why}.`);
    }
    return target;
  }

  /** Resolves without adding a warning. */
  find(reference: string, place: Place): Located | undefined {
    const { document } = place;
    const found = this.#found.get(document) ?? new Map<string, Located | undefined>();
    this.#found.set(document, found);
    if (!found.has(reference)) {
      // Meeting it again during its own resolution is a cycle.
      found.set(reference, undefined);
      found.set(reference, this.#find(reference, place));
    }
    return found.get(reference);
  }

  #find(reference: string, place: Place): Located | undefined {
    const [address = '', fragment = ''] = splitOnce(reference, '#');
    if (address === '') return this.#within(place.document, fragment);
    const named = anchorsOf(place.document).ids.get(address);
    if (named) return fragment === '' ? named : this.#walk(named, fragment);
    const component = fragment === '' ? componentNamed(place.document, address) : undefined;
    if (component) {
      this.#warnings.add(
        place,
        `The reference ${shown(reference)} has no #. Executor used the schema of that name.`,
      );
      return component;
    }
    const other = this.#open(address, place.document);
    return other && 'root' in other ? this.#within(other, fragment) : undefined;
  }

  #why(reference: string, document: Document): string {
    const [address = ''] = splitOnce(reference, '#');
    if (address === '') return '';
    const opened = this.#open(address, document);
    return opened && 'refused' in opened ? `: ${opened.refused.replace(/\.$/, '')}` : '';
  }

  #within(document: Document, fragment: string): Located | undefined {
    const root = { value: document.root, place: Place.root(document) };
    const text = decoded(fragment);
    if (text === '' || text === '/') return root;
    if (!text.startsWith('/')) return anchorsOf(document).anchors.get(text);
    return this.#walk(root, text) ?? (text === fragment ? undefined : this.#walk(root, fragment));
  }

  #walk(from: Located, pointer: string): Located | undefined {
    let current = from;
    for (const token of pointer.split('/').slice(1)) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
      const here = hasKey(current.value, key) ? current : this.follow(current);
      if (here === undefined || !hasKey(here.value, key)) return undefined;
      current = { value: (here.value as Record<string, unknown>)[key], place: here.place.at(key) };
    }
    return current;
  }

  #open(address: string, from: Document): Document | { refused: string } | undefined {
    const url = absolute(address, from.url);
    if (url === undefined) {
      return {
        refused: 'there is no such file beside the document, or the document was passed as text alone',
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
      throw new Refusal(
        `The document references more than ${maxFetched} other documents. Bundle them into one.`,
      );
  }
}

/** Old documents write `$ref: Pet` for a definition. */
function componentNamed(document: Document, name: string): Located | undefined {
  for (const keys of [['components', 'schemas'], ['definitions']]) {
    let current: Located = { value: document.root, place: Place.root(document) };
    for (const key of keys) current = { value: own(current.value, key), place: current.place.at(key) };
    if (isObject(current.value) && Object.hasOwn(current.value, name)) {
      return { value: current.value[name], place: current.place.at(name) };
    }
  }
  return undefined;
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

function absolute(address: string, base: string | undefined): string | undefined {
  try {
    return oneAddress(withoutFragment(new URL(address, base).href));
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

function shown(reference: string): string {
  return reference.length > 200 ? `${reference.slice(0, 200)}…` : reference;
}
