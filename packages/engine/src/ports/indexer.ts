import type { PackedTools } from './source.ts';

/**
 * Builds the search index of a source. An implementation may take seconds of CPU, so it must run on another thread. It must never change
 * the packed tools, and throws if it cannot build an index of them.
 */
export interface Indexer {
  index(tools: PackedTools): Promise<IndexData>;
}

/** The search index of one source: plain arrays, so that one thread can build it and hand it to another. */
export interface IndexData {
  /** Tools sorted by path, so that the index does not depend on the order in which they were read. */
  paths: string[];
  /** All terms, sorted. */
  terms: string[];
  /** The words of names, summaries and parameters as they are written: candidates for correcting a misspelt word. */
  words: string[];
  /** For each term, where its postings begin, and one more entry for the end. */
  starts: Uint32Array;
  /** The postings: the tool, the weight of the term in it (in 1/16), and the fields that contain it. */
  tools: Uint16Array | Uint32Array;
  impacts: Uint8Array;
  masks: Uint8Array;
  /** The terms of each tool's name, and those of its summary. */
  names: TermLists;
  summaries: TermLists;
  /** The resources whose ids a caller must know beforehand, as terms: `playlist` for `playlist_id`. */
  needs: TermLists;
  /** For each need, 1 + the number of the tool that lists such resources, judged by HTTP path; 0 if none does. */
  listers: Uint16Array | Uint32Array;
  /** The resources whose ids a caller knows after the call: `playlist` for a tool that lists playlists. */
  returned: TermLists;
  flags: Uint16Array;
}

export interface TermLists {
  starts: Uint32Array;
  terms: Uint16Array | Uint32Array;
}
