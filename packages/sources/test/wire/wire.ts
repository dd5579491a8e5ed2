import { createHash } from 'node:crypto';
import type { Invocation, Source, Tool, ToolPack, ToolRow } from '@executor/engine';
import { createHttpClient } from '../../src/http/create-http-client.ts';
import { createOpenApiSource } from '../../src/openapi/openapi-source.ts';
import type { OperationPlan } from '../../src/openapi/operation.ts';
import { follow, type JsonObject } from './document.ts';
import { isForm, type Judge, startJudge } from './judge.ts';
import { validInputs, withoutProperty } from './valid-inputs.ts';

export interface WireDocument {
  name: string;
  text: string;
  tools(): Promise<ToolPack>;
}

export interface WireReport {
  document: string;
  /** Two for each operation: with a minimal and with a maximal input. */
  requests: number;
  valid: number;
  misses: WireMiss[];
}

export interface WireMiss {
  operation: string;
  size: 'minimal' | 'maximal' | 'both';
  message: string;
  input?: unknown;
}

const sizes = ['minimal', 'maximal'] as const;
const batchSize = 60;

/** A random sample of the operations. The same seed gives the same sample. */
export interface WireSample {
  seed: string;
  operations: number;
}

/** Calls every operation of the documents, or a sample, with generated inputs, and lets the judge check the requests. */
export async function measureWire(
  documents: Iterable<WireDocument>,
  { sample, onReport }: { sample?: WireSample | undefined; onReport?(report: WireReport): void } = {},
): Promise<WireReport[]> {
  const http = createHttpClient();
  const judge = await startJudge();
  // The documents are read in this process, so no reader program is needed.
  const source = createOpenApiSource({ http, readerFolder: '' });
  const reports: WireReport[] = [];
  try {
    for (const document of documents) {
      const report = await judgeDocument(document, { source, judge, sample });
      reports.push(report);
      onReport?.(report);
    }
  } finally {
    await Promise.all([http.close(), judge.close()]);
  }
  return reports;
}

async function judgeDocument(
  { name, text, tools }: WireDocument,
  { source, judge, sample }: JudgeSetup & { sample: WireSample | undefined },
): Promise<WireReport> {
  const document = JSON.parse(text) as JsonObject;
  const operations = sampled(operationsOf(document), sample);
  if (operations.length === 0) return { document: name, requests: 0, valid: 0, misses: [] };
  const pack = await tools();
  const report: WireReport = { document: name, requests: operations.length * 2, valid: 0, misses: [] };
  const remaining = new Set(operations);
  const judged = [...pack.rows()].map(toJudged).filter(({ operation }) => remaining.delete(operation));
  for (const batch of batches(
    judged.map((one) => ({ ...one, plan: pack.find(one.tool)?.plan as OperationPlan })),
  )) {
    const ids = judge.register(document, batch);
    for (const [index, { operation, tool }] of batch.entries()) {
      const misses = await judgeTool(pack.find(tool) as Tool, ids[index] ?? '', { source, judge });
      report.valid += 2 - misses.length;
      report.misses.push(...misses.map((miss) => ({ operation, ...miss })));
    }
    judge.forget(ids);
  }
  for (const operation of remaining)
    report.misses.push({
      operation,
      size: 'both',
      message: 'there is no tool',
    });
  return report;
}

function sampled(operations: string[], sample: WireSample | undefined): string[] {
  if (sample === undefined) return operations;
  const key = (operation: string) => createHash('sha256').update(sample.seed).update(operation).digest('hex');
  return operations
    .map((operation) => ({ operation, at: key(operation) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, sample.operations)
    .map(({ operation }) => operation);
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

/** Forms are in batches of their own, because the judge converts the types of their fields. */
function batches<T extends { plan: OperationPlan }>(all: T[]): T[][] {
  const [forms, others] = [all.filter(isForm), all.filter((one) => !isForm(one))];
  return [forms, others].flatMap((list) =>
    Array.from({ length: Math.ceil(list.length / batchSize) }, (_, index) =>
      list.slice(index * batchSize, (index + 1) * batchSize),
    ),
  );
}

function operationsOf(document: JsonObject): string[] {
  return Object.entries((document.paths ?? {}) as JsonObject).flatMap(([path, item]) =>
    Object.keys((follow(item, document) ?? {}) as JsonObject)
      .filter((method) => /^(get|put|post|delete|patch|head|options|trace)$/i.test(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
}

interface JudgeSetup {
  source: Source;
  judge: Judge;
}

async function judgeTool(tool: Tool, id: string, setup: JudgeSetup): Promise<Omit<WireMiss, 'operation'>[]> {
  const misses: Omit<WireMiss, 'operation'>[] = [];
  for (const size of sizes) {
    const miss = await judgeSize(tool, size, (input) => judgeCall(tool, input, id, setup));
    if (miss !== undefined) misses.push({ size, ...miss });
  }
  return misses;
}

/**
 * Tools accept an input that matches several alternatives of a `oneOf`, but the document does not. For this reason only, the next
 * generated input is tried.
 */
async function judgeSize(
  tool: Tool,
  size: 'minimal' | 'maximal',
  send: (input: unknown) => Promise<string | undefined>,
): Promise<{ message: string; input?: unknown } | undefined> {
  const inputs = validInputs(tool, size);
  let first: { message: string; input: unknown } | undefined;
  for (;;) {
    const next = inputs.next();
    if (next.done) return first ?? { message: `no valid input was generated: ${next.value}` };
    const input = next.value.value;
    const message = await send(input);
    if (message === undefined) return undefined;
    first ??= { message, input };
    if (!overlaps.test(message)) return first;
    for (const less of withoutProperty(tool, input, pathOfOverlap(tool, message))) {
      if ((await send(less)) === undefined) return undefined;
    }
  }
}

const overlaps = /must match exactly one schema in oneOf/;

/** The path in the input at which the judge found more than one matching alternative. */
function pathOfOverlap({ plan }: Tool, message: string): (string | number)[] {
  const [, ...steps] = (/request\/body(\S*) must match exactly one/.exec(message)?.[1] ?? '').split('/');
  const from = (plan as OperationPlan).body?.from;
  if (from?.type === 'field') return [from.field, ...steps];
  const field = Object.entries(from?.fields ?? {}).find(([, property]) => property === steps[0])?.[0];
  return field === undefined ? [] : [field, ...steps.slice(1)];
}

async function judgeCall(
  tool: Tool,
  input: unknown,
  id: string,
  { source, judge }: JudgeSetup,
): Promise<string | undefined> {
  const invocation: Invocation = {
    tool: { ...tool, repeatable: false },
    input,
    settings: { document: '', baseUrl: judge.url, headers: { 'x-judge': id }, allowPrivateNetwork: true },
    auth: {},
    call: { workspaceId: 'ws', executionId: 'exe', index: 0, attempt: 1, id: 'exe.0' },
    ask: () => Promise.reject(new Error('There is no user.')),
    putArtifact: async ({ mediaType, bytes }) => ({ artifactId: 'art', mediaType, bytes: bytes.length }),
    readArtifact: async () => undefined,
    sourceId: 'src',
    progress() {},
    log() {},
    allowAnswer: async () => {},
  };
  const outcome = await source.invoke(invocation, AbortSignal.timeout(300_000));
  return outcome.type === 'error' ? outcome.message : undefined;
}

/** The share of valid requests, from 0 to 1. */
export function validShare(reports: WireReport[]): number {
  const sum = (key: 'valid' | 'requests') => reports.reduce((total, report) => total + report[key], 0);
  return sum('valid') / sum('requests');
}
