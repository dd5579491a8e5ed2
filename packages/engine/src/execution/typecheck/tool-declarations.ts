import { stringText } from '../../catalog/signature/source-text.ts';
import type { ToolPrinter } from '../../catalog/signature/tool-printer.ts';
import type { Tool } from '../../ports/source.ts';
import { CpuMeter } from '../../resource/cpu-meter.ts';

/** What exists at a path in the code: a visible tool, a hidden tool, or nothing. */
export type NamedTool = { path: string } & (
  | { type: 'tool'; tool: Tool }
  | { type: 'denied' }
  | { type: 'unknown' }
);

interface Node {
  /** The type of the function at this path. */
  type?: string;
  below: Map<string, Node>;
}

/** More declarations take too long to write and check. Tools beyond the limit are checked when they are called. */
const maxChars = 400_000;
/** Ordinary declarations take some milliseconds together. */
const maxMs = 2_000;

interface Options {
  /** Results may have any type. */
  anyOutput: boolean;
  printer: ToolPrinter;
}

/**
 * The type of `tools`: the exact types of the named tools, and `any` at every other path, so that only checked paths can be rejected. Paths
 * that are known not to exist cannot be called.
 */
export async function toolDeclarations(named: NamedTool[], { anyOutput, printer }: Options): Promise<string> {
  const meter = new CpuMeter();
  const root: Node = { below: new Map() };
  const types: string[] = [];
  let chars = 0;
  for (const [index, one] of named.entries()) {
    const node = nodeAt(root, one.path.split('.'));
    if (one.type === 'unknown') {
      node.type = `{ readonly unknown: ${stringText(one.path)} }`;
      continue;
    }
    if (one.type === 'denied' || chars > maxChars || meter.ms > maxMs) {
      node.type = 'any';
      continue;
    }
    const { declaration } = await printer.print(
      one.tool,
      { declaration: { prefix: prefixOf(index), anyOutput } },
      meter,
    );
    node.type = declaration.type;
    types.push(...declaration.types);
    chars += declaration.type.length + declaration.types.reduce((sum, type) => sum + type.length, 0);
  }
  return `declare const tools: ${nodeText(root)};\n${types.join('\n')}\n`;
}

function prefixOf(index: number): string {
  return `T${index}_`;
}

/** A message about types, with the names from their document. */
export function withoutPrefixes(message: string): string {
  return message.replace(/\bT\d+_(?=[A-Z])/g, '');
}

function nodeAt(root: Node, segments: string[]): Node {
  let node = root;
  for (const segment of segments) {
    const next = node.below.get(segment) ?? { below: new Map() };
    node.below.set(segment, next);
    node = next;
  }
  return node;
}

function nodeText({ type, below }: Node): string {
  const fields = [...below].map(([name, node]) => `${stringText(name)}: ${nodeText(node)}`);
  const namespace = `{ ${[...fields, '[key: string]: any'].join('; ')} }`;
  if (type === undefined) return namespace;
  return below.size === 0 ? type : `(${type}) & ${namespace}`;
}
