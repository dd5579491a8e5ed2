/**
 * The index of a source: for each term (a word stem) the tools that have it, with an impact (a weighted count) and a
 * mask of the fields that it is in. Besides that, for each tool the terms of its name and summary, its flags, and the
 * vector of its meaning. Numbers stand for tools and terms, so that an index is a few typed arrays.
 */
export interface ToolIndex {
  /** Sorted, so that the index does not depend on the order of the tools. */
  paths: string[];
  terms: string[];
  /** For each term, the first word with it, as tools write it. */
  written: string[];
  /** For each term, where its postings begin, and one more entry for the end. */
  starts: Uint32Array;
  /** The postings: the tool, the impact of the term in 1/16, and the fields. */
  tools: Uint32Array;
  impacts: Uint8Array;
  masks: Uint8Array;
  names: TermLists;
  summaries: TermLists;
  flags: Uint16Array;
  /** A vector of bytes for each tool; undefined if there are no word vectors. */
  vectors: Int8Array | undefined;
  /** The same for each word in the name or summary of any tool. */
  wordVectors: Int8Array | undefined;
  /** The text of each tool for a language model; undefined if there is no model. */
  texts: string[] | undefined;
}

/** A list of terms for each tool. */
export interface TermLists {
  starts: Uint32Array;
  terms: Uint32Array;
}
