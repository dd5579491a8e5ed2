/** The document cannot be used. The message says what it is or what is wrong with it, and what to do. */
export class UnusableDocumentError extends Error {}

/** The document is of another format, which another kind of source may read. */
export class OtherFormatError extends UnusableDocumentError {}

/** A parsed document: the root document, or one that it references. */
export interface Document {
  /** Whether it is the root document. */
  main: boolean;
  /** URL after redirects; undefined for text. */
  url: string | undefined;
  root: unknown;
}
