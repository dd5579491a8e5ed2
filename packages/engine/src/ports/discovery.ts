import type { TextVector } from './embedder.ts';
import type { Effect } from './source.ts';

/**
 * Ranks tools for a request in plain language: the text of tools in, a ranking out. It knows nothing about policies, signatures or how
 * tools are stored.
 *
 * An implementation must:
 * - give the same answer to the same request and tools, in whatever order the tools were indexed;
 * - use no network;
 * - never reveal a hidden tool, not even by the rank of another one;
 * - search in steps of some milliseconds.
 */
export interface Discovery {
  /** Builds the index of a source. It may take seconds of CPU, so it must run on another thread. */
  index(tools: ToolText[]): IndexData;
  /** Prepares an index for searches. */
  open(index: IndexData): SearchIndex;
  /** The texts of a request whose vectors a search can use. */
  requestTexts(sources: readonly SearchedSource[], request: string): string[];
  search(
    sources: readonly SearchedSource[],
    request: string,
    options: SearchOptions,
  ): Generator<undefined, SearchOutcome>;
}

/** The text of a tool, as its system writes it. */
export interface ToolText {
  path: string;
  /** Its name in its own system, if it has one. */
  name: string;
  /** The categories that its system assigns to it. */
  tags: readonly string[];
  description: string;
  effect: Effect;
  deprecated: boolean;
  /** The HTTP method and path; undefined for a tool without HTTP. */
  method: string | undefined;
  route: string | undefined;
  /** The names of its parameters and of their fields, and the descriptions of both. */
  parameters: readonly string[];
  aboutParameters: readonly string[];
  /** The names of the fields of its result. */
  results: readonly string[];
}

/** Plain data, so that one thread can build an index and hand it to another. Only the implementation reads it. */
export type IndexData = object;

/** An index that is ready for searches. Only the implementation reads it. */
export interface SearchIndex {
  readonly size: number;
  /** The texts of its tools whose vectors a search can use; none if discovery uses no language model. */
  readonly texts: readonly string[];
  readonly hasVectors: boolean;
  /** Adds the vectors of `texts`, in the same order. Searches compare meanings by them from now on. */
  setVectors(vectors: readonly TextVector[]): void;
}

/** A source in a search. */
export interface SearchedSource {
  namespace: string;
  /** The name that users see. */
  name: string;
  index: SearchIndex;
}

export interface SearchOptions {
  limit: number;
  /** Whether to explain each result. */
  explain?: boolean;
  /** Whether the caller may see a tool. */
  isVisible?(source: number, path: string): boolean;
  /** The vectors of the request's texts. Without them, meanings are compared without a language model. */
  vectors?: ReadonlyMap<string, TextVector> | undefined;
}

export interface SearchOutcome {
  /** The best first. */
  found: SearchResult[];
  /** The number of tools that fit about as well as the found ones. */
  total: number;
  /** Words of the request that no tool has. */
  unknown: string[];
  /** No tool fits; the found ones search for anything. */
  isLastResort?: true;
  /** The first result is hardly better than the next ones, or matches only a part of the request. */
  isUnsure?: true;
}

interface SearchResult {
  /** The position of its source. */
  source: number;
  path: string;
  score: number;
  /** The part of the request that the tool is for, if the request has several. */
  need?: string;
  why?: Why;
}

/** Why a tool was found. */
export interface Why {
  words: MatchedWord[];
  /** Words of the request, or of the answered part, that the tool does not have. */
  missing: string[];
  need?: string;
  /** Other reasons for or against it, as texts. */
  signs: string[];
  /** How similar its meaning is to that of the request, from 0 to 1. */
  meaning?: number;
  /** A language model compared the meanings. */
  meaningBy?: 'model';
  score: number;
}

export interface MatchedWord {
  /** The word in the request. */
  word: string;
  /** The word of the tool that matches it. */
  as: string;
  via: 'itself' | 'inflection' | 'verb' | 'abbreviation' | 'compound' | 'spelling' | 'source';
  /** The parts of the tool with this word. */
  in: string[];
  /** Its part of the score. */
  worth: number;
}
