import {
  ChunkCache,
  type Invocation,
  type Source,
  type Tool,
  ToolPack,
  type ToolRow,
} from '@executor/engine';
import { InputValidator } from '../../../engine/src/validation/input-validator.ts';
import { createHttpClient } from '../../src/http/create-http-client.ts';
import { createOpenApiSource } from '../../src/openapi/openapi-source.ts';
import type { OperationPlan } from '../../src/openapi/operation.ts';
import type { JsonObject } from './document.ts';
import { generateInput } from './generate-input.ts';
import { isForm, type Judge, startJudge } from './judge.ts';

export interface WireDocument {
  name: string;
  text: string;
}

export interface WireReport {
  document: string;
  /** Operations, twice: with a minimal and with a maximal input. */
  requests: number;
  valid: number;
  misses: WireMiss[];
}

export interface WireMiss {
  operation: string;
  size: 'minimal' | 'maximal' | 'both';
  /** What kind of miss it is: the message without names. */
  kind: string;
  message: string;
  input?: unknown;
}

const sizes = ['minimal', 'maximal'] as const;
const choices = 8;
const batchSize = 40;

/** Calls every operation of documents with generated inputs, and has the requests judged. */
export async function measureWire(
  documents: Iterable<WireDocument>,
  { readerFolder, onReport }: { readerFolder: string; onReport?(report: WireReport): void },
): Promise<WireReport[]> {
  const http = createHttpClient();
  const judge = await startJudge();
  const source = createOpenApiSource({ http, readerFolder });
  const reports: WireReport[] = [];
  try {
    for (const document of documents) {
      const report = await judgeDocument(document, source, judge);
      reports.push(report);
      onReport?.(report);
    }
  } finally {
    await Promise.all([http.close(), judge.close()]);
  }
  return reports;
}

async function judgeDocument(
  { name, text }: WireDocument,
  source: Source,
  judge: Judge,
): Promise<WireReport> {
  const document = JSON.parse(text) as JsonObject;
  const operations = operationsOf(document);
  const { tools } = await source.load(
    { document: text },
    { namespace: 'wire', signal: AbortSignal.timeout(120_000) },
  );
  const pack = await ToolPack.open(tools, new ChunkCache());
  const report: WireReport = { document: name, requests: operations.length * 2, valid: 0, misses: [] };
  const left = new Set(operations);
  const judged = [...pack.rows()].map(toJudged).filter(({ operation }) => left.delete(operation));
  for (const some of batches(
    judged.map((one) => ({ ...one, plan: pack.find(one.tool)?.plan as OperationPlan })),
  )) {
    const ids = judge.register(document, some);
    for (const [index, { operation, tool }] of some.entries()) {
      const misses = await judgeTool(pack.find(tool) as Tool, ids[index] ?? '', { source, judge });
      report.valid += 2 - misses.length;
      report.misses.push(...misses.map((miss) => ({ operation, ...miss })));
    }
    judge.forget(ids);
  }
  for (const operation of left)
    report.misses.push({
      operation,
      size: 'both',
      kind: 'there is no tool of it',
      message: 'there is no tool of it',
    });
  return report;
}

function toJudged({ path: tool, origin }: ToolRow): {
  tool: string;
  operation: string;
  method: string;
  path: string;
} {
  const [method, path] = [String(origin.method).toUpperCase(), String(origin.path)];
  return { tool, operation: `${method} ${path}`, method, path };
}

/** Forms apart from all else: the judge is told how to read them. */
function batches<T extends { plan: OperationPlan }>(all: T[]): T[][] {
  const [forms, others] = [all.filter(isForm), all.filter((one) => !isForm(one))];
  return [forms, others].flatMap((list) =>
    Array.from({ length: Math.ceil(list.length / batchSize) }, (_, index) =>
      list.slice(index * batchSize, (index + 1) * batchSize),
    ),
  );
}

function operationsOf({ paths }: JsonObject): string[] {
  return Object.entries((paths ?? {}) as JsonObject).flatMap(([path, item]) =>
    Object.keys((item ?? {}) as JsonObject)
      .filter((method) => /^(get|put|post|delete|patch|head|options|trace)$/i.test(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
}

interface Setting {
  source: Source;
  judge: Judge;
}

async function judgeTool(tool: Tool, id: string, setting: Setting): Promise<Omit<WireMiss, 'operation'>[]> {
  const misses: Omit<WireMiss, 'operation'>[] = [];
  for (const size of sizes) {
    const input = validInput(tool, size);
    const message =
      'problem' in input
        ? `no valid input was generated: ${input.problem}`
        : await judgeCall(tool, input.value, id, setting);
    if (message === undefined) continue;
    misses.push({ size, kind: kindOf(message), message, ...('value' in input && { input: input.value }) });
  }
  return misses;
}

const validator = new InputValidator();

/** As the engine would take it, with its defaults filled in. */
function validInput(tool: Tool, size: 'minimal' | 'maximal'): { value: unknown } | { problem: string } {
  let problem = '';
  for (let choice = 0; choice < choices; choice++) {
    const checked = validator.check(tool, generateInput(tool, { size, choice }));
    if (checked.type === 'valid') return { value: checked.input };
    problem ||= checked.message;
  }
  return { problem };
}

async function judgeCall(
  tool: Tool,
  input: unknown,
  id: string,
  { source, judge }: Setting,
): Promise<string | undefined> {
  const invocation: Invocation = {
    tool: { ...tool, repeatable: false },
    input,
    settings: { document: '', baseUrl: judge.url, headers: { 'x-judge': id }, allowPrivateNetwork: true },
    auth: {},
    call: { workspaceId: 'ws', executionId: 'exe', index: 0, attempt: 1, id: 'exe.0' },
    ask: () => Promise.reject(new Error('nobody is there')),
    putArtifact: async ({ mediaType, bytes }) => ({ artifactId: 'art', mediaType, bytes: bytes.length }),
    readArtifact: async () => undefined,
  };
  const outcome = await source.invoke(invocation, AbortSignal.timeout(30_000));
  return outcome.type === 'value' ? undefined : outcome.message;
}

function kindOf(message: string): string {
  return (
    message
      .replace(/\(HTTP.*$/s, '')
      .split(/[;,]\s/)[0]
      ?.replace(/\/?(body|query|params|headers|cookies)[/.][^\s]*/, '$1/…')
      .replace(/'[^']*'|"[^"]*"|\[[^\]]*\]/g, '…')
      .replace(/\d+/g, 'N')
      .slice(0, 120)
      .trim() ?? ''
  );
}

/** How many there are of each kind of miss, the most first, with an example. */
export function missTable(reports: WireReport[]): string {
  const kinds = new Map<string, { count: number; example: string }>();
  for (const { document, misses } of reports) {
    for (const { kind, operation, size, message } of misses) {
      const known = kinds.get(kind) ?? {
        count: 0,
        example: `${document} ${operation} (${size}): ${message.slice(0, 200)}`,
      };
      kinds.set(kind, { ...known, count: known.count + (size === 'both' ? 2 : 1) });
    }
  }
  return [...kinds]
    .toSorted(([, a], [, b]) => b.count - a.count)
    .map(([kind, { count, example }]) => `${String(count).padStart(6)}  ${kind}\n        ${example}`)
    .join('\n');
}
