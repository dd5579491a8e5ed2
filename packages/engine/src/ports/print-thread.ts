import type { ChunkAddress, PackedTools } from './source.ts';

/**
 * Prints tools that take long to print. An implementation must print on another thread with `printPacked`, and limit its time and memory:
 * documents are untrusted.
 */
export interface PrintThread {
  print(job: PrintJob): Promise<PrintOutcome>;
}

export interface PrintJob {
  /** The same array for all tools of a source, so that a thread receives it once. */
  tools: PackedTools;
  path: string;
  at: ChunkAddress;
  request: PrintRequest;
}

/** `printed` is undefined if the limits did not suffice. */
export interface PrintOutcome {
  printed?: PrintedTool;
  /** The time that printing took. */
  ms: number;
}

/** The texts to print of one tool. */
export interface PrintRequest {
  signature?: SignatureOptions;
  example?: true;
  declaration?: DeclarationOptions;
}

export interface PrintedTool {
  signature?: string;
  example?: string;
  declaration?: Declaration;
}

export interface SignatureOptions {
  /** Levels of objects that are spelt out, if they fit. */
  depth?: number;
  maxChars?: number;
  /** Fields of the input that are spelt out, whatever else is left out. */
  fields?: readonly string[];
}

export interface DeclarationOptions {
  /** Begins the names of its types, so that the types of two tools have different names. */
  prefix: string;
  /** Declares the result as `any`. */
  anyOutput?: boolean;
}

export interface Declaration {
  /** The tool as the type of a function. */
  type: string;
  /** The types that it names, which begin with `prefix`. */
  types: string[];
}
