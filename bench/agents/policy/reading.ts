import { textFit } from './words.ts';

/*
 * What the scripted agent reads in answers. It looks for what any reader would look for, not for exact forms, so that a
 * better form of an answer needs no change here.
 */

/** A tool as a search shows it. */
export interface Candidate {
  path: string;
  description: string;
  signature: string;
  needsApproval: boolean;
  /** The place in its search, from 0. */
  rank: number;
}

export type Outcome =
  | { type: 'value'; value: unknown; isCut: boolean; text: string }
  | { type: 'waiting' | 'running'; executionId: string; text: string }
  | { type: 'failed'; message: string; line?: number; text: string };

export function readAnswer(texts: string[]): Outcome {
  const text = texts.join('\n');
  // Notes may come before the value.
  const first = texts.find((one) => parsed(one) !== undefined) ?? texts[0] ?? '';
  const value = unwrapped(parsed(first));
  if (typeof value === 'object' && value !== null) {
    const { status, executionId, error } = value as Record<string, unknown>;
    if (typeof executionId === 'string' && status === 'waiting')
      return { type: 'waiting', executionId, text };
    if (typeof executionId === 'string' && (status === 'running' || status === 'queued'))
      return { type: 'running', executionId, text };
    const isFailure =
      status === 'failed' || status === 'cancelled' || (error !== undefined && 'next' in value);
    if (isFailure || isRefusal(value)) return failure(error, text);
  }
  const isCut = value === undefined || /\b(is|was) cut\b|cut here/i.test(texts.slice(1).join('\n'));
  return { type: 'value', value: value ?? first, isCut, text };
}

/** The value inside of a report about a run that has completed. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('result' in value)) return value;
  const isReport = 'unawaited' in value || (value as { status?: unknown }).status === 'completed';
  return isReport ? value.result : value;
}

function isRefusal(value: object): boolean {
  const { error } = value as { error?: { code?: unknown; message?: unknown } };
  const keys = Object.keys(value).filter((key) => key !== 'executionId');
  return keys.length === 1 && typeof error?.code === 'string' && typeof error.message === 'string';
}

function failure(error: unknown, text: string): Outcome {
  const { message, line } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  const stated = typeof message === 'string' ? message : text;
  const found = typeof line === 'number' ? line : Number(/\bline (\d+)/i.exec(text)?.[1] ?? Number.NaN);
  return { type: 'failed', message: stated, text, ...(Number.isFinite(found) && { line: found }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How to search and to describe, from any text that shows it as code. */
export interface Ways {
  search?: string;
  describe?: string;
}

export function waysIn(text: string): Ways {
  const search = /tools\.([\w.]+)\(\{\s*query\b/.exec(text)?.[1];
  const describe = [...text.matchAll(/tools\.([\w.]+)(?:\(|: \(input\??: )\{\s*path\b/g)].map(
    ([, name = '']) => name,
  );
  const ofTool = describe.find((name) => !/namespace|list/i.test(name));
  return { ...(search !== undefined && { search }), ...(ofTool !== undefined && { describe: ofTool }) };
}

/** All tools that a value shows, wherever they are in it. */
export function candidatesIn(value: unknown): Candidate[] {
  return toolsIn(value).map((tool, rank) => ({ ...tool, rank }));
}

function toolsIn(value: unknown): Omit<Candidate, 'rank'>[] {
  if (typeof value === 'string') return toolsInText(value);
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(toolsIn);
  const { path, description, signature, approval } = value as Record<string, unknown>;
  if (typeof path === 'string' && path.includes('.')) {
    const needsApproval = approval !== undefined && approval !== 'allow';
    return [{ path, description: textOf(description), signature: textOf(signature), needsApproval }];
  }
  return Object.values(value).flatMap(toolsIn);
}

/** An answer that is cut may not be JSON any more. */
function toolsInText(text: string): Omit<Candidate, 'rank'>[] {
  const pattern =
    /\{"path":"([\w.$-]+)","description":("(?:[^"\\]|\\.)*")(?:,"signature":("(?:[^"\\]|\\.)*"))?/g;
  return [...text.matchAll(pattern)].map(([, path = '', description = '""', signature = '""']) => ({
    path,
    description: textOf(parsed(description)),
    signature: textOf(parsed(signature)),
    needsApproval: false,
  }));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Tools that a message names as code, best first. */
export function toolsNamedIn(message: string): string[] {
  const names = [...message.matchAll(/\btools\.([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+)/g)].map(
    ([, name = '']) => name,
  );
  const plain =
    /Did you mean ([^?]+)\?/i.exec(message)?.[1]?.match(/[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+/g) ?? [];
  return [...new Set([...names, ...plain.map((name) => name.replace(/^tools\./, ''))])];
}

/** The signature of a tool that a message shows, such as `tools.a.b: (input: …`. */
export function signatureIn(message: string, path: string): string | undefined {
  const start = `tools.${path}: `;
  const from = message.indexOf(start);
  if (from < 0) return undefined;
  const rest = message.slice(from + start.length);
  const to = rest.search(/\ntools\./);
  return to < 0 ? rest : rest.slice(0, to);
}

/** Answers with status 200 may still say that something failed. */
export function errorInside(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { ok, success, error } = value as Record<string, unknown>;
  if (ok === false || success === false) return textOf(error) || JSON.stringify(value);
  if (typeof error === 'string' && Object.keys(value).length <= 3) return error;
  return undefined;
}

export function saysDenied(text: string): boolean {
  return /\bden(?:ied|ies|y)\b|\brefused by\b|\bdeclined\b|ToolDeniedError/i.test(text);
}

/** A text that says that trying again is pointless. */
export function saysStop(text: string): boolean {
  return /do not (?:try|ask|call|send|repeat)[^.]*\b(?:again|same|it)\b|not try (?:the same|it|this) again/i.test(
    text.replace(/Do not repeat writes\.?/gi, ''),
  );
}

/** How the path of a tool fits a service that the task names. */
export function serviceFit(taskText: string, { path }: Candidate): number {
  const [service = ''] = path.split('.', 1);
  return textFit(service, taskText) === 1 ? 1 : 0;
}

/** The code that reads the next page, if an answer shows it: `links.next.input`. */
export function nextPageIn(text: string): string[] | undefined {
  const note = text.split('\n').find((line) => /more pages|next page|has more/i.test(line));
  const path = note && /[`"'( ]((?:\$?[A-Za-z_]\w*\.)+input)\b/.exec(note)?.[1];
  return path ? path.split('.') : undefined;
}
