import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { UnusableDocumentError } from '../../packages/sources/src/openapi/reader/document/document.ts';
import {
  type ReadDocument,
  readDocument,
  requireTools,
} from '../../packages/sources/src/openapi/reader/read-document.ts';
import type { Row } from './corpus.ts';

/**
 * Reads documents as the product's reader does, and prints a row for each. It reads many, because starting a process
 * takes longer than most documents.
 */
for await (const file of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(measure(file)));
}

function measure(file: string): Row {
  const bytes = readFileSync(file);
  const startedAt = performance.now();
  const row = { file, bytes: bytes.length, operations: countOperations(bytes), tools: 0, warnings: 0 };
  try {
    const read = readDocument({
      bytes,
      url: 'https://corpus.example/openapi.json',
      namespace: 'corpus',
      previous: [],
      fetch: () => ({ refused: 'the corpus is read without a network' }),
    });
    requireTools(read);
    gzipSync(bytes);
    return {
      ...row,
      ...measuredSince(startedAt),
      outcome: outcomeOf(read, row.operations),
      tools: read.toolCount,
      warnings: read.warnings.length,
      samples: read.warnings.slice(0, 30),
    };
  } catch (error) {
    if (error instanceof UnusableDocumentError)
      return { ...row, ...measuredSince(startedAt), outcome: 'refused', reason: error.message };
    return {
      ...row,
      ...measuredSince(startedAt),
      outcome: 'crashed',
      reason: String((error as Error).stack),
    };
  }
}

function outcomeOf({ toolCount, warnings }: ReadDocument, operations: number): Row['outcome'] {
  if (toolCount < operations * 0.95) return 'partly';
  return warnings.length > 0 ? 'warned' : 'loaded';
}

function measuredSince(startedAt: number): { ms: number; peakMegabytes: number } {
  return { ms: performance.now() - startedAt, peakMegabytes: process.resourceUsage().maxRSS / 1024 };
}

/**
 * Counts operations without the reader: keys named after a method, under a path or under the path that it refers to.
 */
function countOperations(bytes: Buffer): number {
  const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);
  const { paths = {} } = JSON.parse(bytes.toString()) as { paths?: Record<string, Record<string, unknown>> };
  return Object.values(paths).flatMap((item) => {
    const other = /^#\/paths\/([^/]+)$/.exec(String(item?.$ref))?.[1];
    const target = other && paths[decodeURIComponent(other).replaceAll('~1', '/').replaceAll('~0', '~')];
    return Object.entries({ ...target, ...item }).filter(
      ([key, value]) => methods.has(key) && typeof value === 'object',
    );
  }).length;
}
