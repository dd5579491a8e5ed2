import type { SignatureOptions } from '../../ports/print-thread.ts';
import type { Tool } from '../../ports/source.ts';
import { maxCharsOf } from './signature.ts';

type ToolSchemas = Pick<Tool, 'inputSchema' | 'outputSchema' | 'definitions'>;

interface CachedSignatures {
  outputSchema: ToolSchemas['outputSchema'] | undefined;
  definitions: ToolSchemas['definitions'] | undefined;
  byChars: Map<number, string>;
}

/**
 * Searches print the same signatures repeatedly. The key is the input schema: it belongs to one tool, and is garbage
 * collected with the chunk that it was read from. Long signatures, which callers ask for by a depth, are not kept.
 */
export class SignatureCache {
  readonly #signatures = new WeakMap<object, CachedSignatures>();

  get(tool: ToolSchemas, options: SignatureOptions): string | undefined {
    return isUsual(options) ? this.#textsOf(tool).get(maxCharsOf(options)) : undefined;
  }

  keep(tool: ToolSchemas, options: SignatureOptions, signature: string): void {
    if (isUsual(options)) this.#textsOf(tool).set(maxCharsOf(options), signature);
  }

  #textsOf(tool: ToolSchemas): Map<number, string> {
    const { inputSchema, outputSchema, definitions } = tool;
    if (typeof inputSchema !== 'object') return new Map();
    const cached = this.#signatures.get(inputSchema);
    if (cached && cached.outputSchema === outputSchema && cached.definitions === definitions)
      return cached.byChars;
    const byChars = new Map<number, string>();
    this.#signatures.set(inputSchema, { outputSchema, definitions, byChars });
    return byChars;
  }
}

function isUsual({ depth, fields = [] }: SignatureOptions): boolean {
  return depth === undefined && fields.length === 0;
}
