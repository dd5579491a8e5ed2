/** One document, read: the one that was given, or one that it refers to. */
export interface Document {
  /** Whether it is the one that was given. */
  main: boolean;
  /** Where it came from, after redirects; undefined for text. */
  url: string | undefined;
  root: unknown;
}
