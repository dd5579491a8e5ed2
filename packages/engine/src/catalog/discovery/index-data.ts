/** What is kept of a source to search its tools: plain arrays, so that a thread can make them and hand them over. */
export interface IndexData {
  /** Tools in the order of their paths, so that nothing depends on how they came. */
  paths: string[];
  /** All terms, sorted. */
  terms: string[];
  /** The words of names, summaries and parameters as they are written: what a misspelt one may have been meant to be. */
  words: string[];
  /** For each term, where its postings begin; one more at the end. */
  starts: Uint32Array;
  /** The postings: tool, how much the term says of it (in 1/16), and in which fields it stands. */
  tools: Uint16Array | Uint32Array;
  impacts: Uint8Array;
  masks: Uint8Array;
  /** The terms of a tool's name, and those of its summary. */
  names: TermLists;
  summaries: TermLists;
  /** What a caller must know beforehand, as terms: `playlist` for `playlist_id`. */
  needs: TermLists;
  /** For each of the needs, the tool that lists what is needed by the HTTP path, and one more than its number; 0 where none does. */
  listers: Uint16Array | Uint32Array;
  /** What a caller knows afterwards: `playlist` of what lists playlists. */
  gives: TermLists;
  flags: Uint16Array;
}

export interface TermLists {
  starts: Uint32Array;
  terms: Uint16Array | Uint32Array;
}

export const impactUnit = 16;

export const flag = {
  read: 1,
  create: 2,
  update: 4,
  delete: 8,
  deprecated: 16,
  /** It looks for something by words. */
  search: 32,
  /** It is about whoever asks. */
  mine: 64,
  /** It answers several. */
  list: 128,
  /** It looks for whatever it is told, on the web or in an encyclopedia. */
  anything: 256,
  /** It is called by a method and a path: what it is given is named by other paths. */
  overHttp: 512,
} as const;

export const anyIntent = flag.read | flag.create | flag.update | flag.delete;
