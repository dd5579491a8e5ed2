import type { Document } from './document.ts';

/** Where something is: in which document, and the way to it. Told as a JSON pointer when there is something to say about it. */
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

  /** The pointer; with the address of its document where that is not the one that was given. */
  toString(): string {
    const { main, url } = this.document;
    return main ? this.pointer : `${url ?? ''}#${this.pointer}`;
  }
}

/** A value and where it is. */
export interface Located {
  value: unknown;
  place: Place;
}
