/** A parsed document: the root document, or one that it references. */
export interface Document {
  /** Whether it is the root document. */
  main: boolean;
  /** URL after redirects; undefined for text. */
  url: string | undefined;
  root: unknown;
}
