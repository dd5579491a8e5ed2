import type { Document } from '../openapi/reader/document/document.ts';

/** A JSON pointer together with its document. */
export class JsonPointer {
  readonly document: Document;
  readonly #parent: JsonPointer | undefined;
  readonly #key: string | number;

  private constructor(document: Document, parent: JsonPointer | undefined, key: string | number) {
    this.document = document;
    this.#parent = parent;
    this.#key = key;
  }

  static root(document: Document): JsonPointer {
    return new JsonPointer(document, undefined, '');
  }

  at(key: string | number): JsonPointer {
    return new JsonPointer(this.document, this, key);
  }

  /** The keys from the root of its document. */
  get keys(): string[] {
    const keys: string[] = [];
    for (let pointer: JsonPointer = this; pointer.#parent; pointer = pointer.#parent)
      keys.push(String(pointer.#key));
    return keys.reverse();
  }

  get #path(): string {
    return this.keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  }

  /** The URL of the document comes first, unless it is the root document. */
  toString(): string {
    const { main, url } = this.document;
    return main ? this.#path : `${url ?? ''}#${this.#path}`;
  }
}

/** A value with its JSON pointer. */
export interface Located {
  value: unknown;
  pointer: JsonPointer;
}
