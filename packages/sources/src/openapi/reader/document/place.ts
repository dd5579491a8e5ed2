import type { Document } from './document.ts';

/** A position in a document: the document and the keys that lead to a value. Warnings print it as a JSON pointer. */
export class Place {
  readonly document: Document;
  readonly #parent: Place | undefined;
  readonly #key: string | number;

  private constructor(document: Document, parent: Place | undefined, key: string | number) {
    this.document = document;
    this.#parent = parent;
    this.#key = key;
  }

  static root(document: Document): Place {
    return new Place(document, undefined, '');
  }

  at(key: string | number): Place {
    return new Place(this.document, this, key);
  }

  /** The keys from the root of its document. */
  get keys(): string[] {
    const keys: string[] = [];
    for (let place: Place = this; place.#parent; place = place.#parent) keys.push(String(place.#key));
    return keys.reverse();
  }

  get pointer(): string {
    return this.keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  }

  /** The JSON pointer, after the URL of its document unless that is the root document. */
  toString(): string {
    const { main, url } = this.document;
    return main ? this.pointer : `${url ?? ''}#${this.pointer}`;
  }
}

/** A value with its position. */
export interface Located {
  value: unknown;
  place: Place;
}
