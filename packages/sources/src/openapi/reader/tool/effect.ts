import type { Effect, ToolRow } from '@executor/engine';
import { own, textOf } from '../document/json.ts';
import type { Operation } from '../operation/operations.ts';
import { wordsOf } from './words.ts';

type Judged = Pick<ToolRow, 'effect' | 'repeatable' | 'suggestion'>;

const byMethod = new Map<string, { effect: Effect; repeatable: boolean }>([
  ...['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'].map(
    (method) => [method, { effect: 'read', repeatable: true }] as const,
  ),
  ['PUT', { effect: 'write', repeatable: true }],
  ['DELETE', { effect: 'destructive', repeatable: true }],
]);

const destroying = words('delete remove destroy purge wipe erase drop terminate revoke uninstall');
const many = words('batch bulk mass multi force hard soft');
const undoing = words('undo undelete restore cancel un');
const writing = words(
  'create update add set send insert put post patch save upload submit enable disable activate deactivate reset restart cancel start stop',
);
const reading = words(
  'search query find list export lookup filter count get fetch read retrieve preview validate calculate estimate check compare',
);

function words(text: string): Set<string> {
  return new Set(text.split(' '));
}

/**
 * The effect of a call, from its method. The document's words can make it stricter. Anything that would make it looser is a suggestion
 * that a user must accept.
 */
export function judge(operation: Operation, idempotencyHeader: string | undefined): Judged {
  const usual = byMethod.get(operation.method) ?? { effect: 'write', repeatable: false };
  const name = nameWords(operation);
  if (destroys(operation, name)) {
    return { effect: 'destructive', repeatable: operation.method === 'DELETE' || operation.method === 'PUT' };
  }
  if (usual.effect === 'read' && writing.has(name[0] ?? '')) return { effect: 'write', repeatable: false };
  const suggestion = suggest(operation, name, idempotencyHeader);
  return { ...usual, ...(suggestion && !usual.repeatable && { suggestion }) };
}

/** The verb is the first word of the operation id, after the group name. */
function nameWords({ operationId, value }: Operation): string[] {
  const id = (operationId ?? '').replace(/^.*[./:#]/s, '');
  const found = wordsOf(id === '' ? (operationId ?? '') : id).map((word) => word.toLowerCase());
  const tag = wordsOf(textOf((own(value, 'tags') as unknown[] | undefined)?.[0]) ?? '').map((word) =>
    word.toLowerCase(),
  );
  const named =
    tag.length > 0 && found.length > tag.length && tag.every((word, index) => word === found[index]);
  return named ? found.slice(tag.length) : found;
}

function destroys({ method, path }: Operation, name: string[]): boolean {
  if (method === 'DELETE') return true;
  const last = wordsOf(
    path
      .split(/[/?#:]/)
      .filter((segment) => segment !== '' && !segment.startsWith('{'))
      .at(-1) ?? '',
  );
  const verb = last.map((word) => word.toLowerCase());
  if (byMethod.get(method)?.effect === 'read')
    return destroying.has(name[0] ?? '') || (verb.length === 1 && destroying.has(verb[0] ?? ''));
  // `createRemoveToken` creates.
  if (writing.has(name[0] ?? '')) return false;
  return [name, verb].some((all) => saysDestroy(all) && !all.some((word) => undoing.has(word)));
}

/** Whether the verb is first or last: `deleteUsers`, `usersDelete`, `bulkDeleteUsers`. */
function saysDestroy(all: string[]): boolean {
  const verb = many.has(all[0] ?? '') ? all[1] : all[0];
  return [verb, all.at(-1)].some((word) => destroying.has(word ?? ''));
}

function suggest(
  { method, path, value }: Operation,
  name: string[],
  idempotencyHeader: string | undefined,
): ToolRow['suggestion'] {
  const lastWords = wordsOf(
    path
      .split(/[/?#:]/)
      .filter((segment) => segment !== '' && !segment.startsWith('{'))
      .at(-1) ?? '',
  );
  const summary = wordsOf(textOf(own(value, 'summary')) ?? '').slice(0, 1);
  const places: [string, string[]][] = [
    ['its id', name.slice(0, 1)],
    ['its summary', summary],
    ['its path', lastWords.slice(-1)],
  ];
  const writes = places.some(([, found]) => found.some((word) => writing.has(word.toLowerCase())));
  const evidence = places.find(([, found]) => found.some((word) => reading.has(word.toLowerCase())));
  if (method === 'POST' && evidence && !writes) {
    const [where, found] = evidence;
    return {
      effect: 'read',
      repeatable: true,
      why: `It is a POST, but ${where} says “${found[0]}”, so it seems to be read-only.`,
    };
  }
  if (idempotencyHeader === undefined) return undefined;
  return {
    repeatable: true,
    why: `It accepts an ${idempotencyHeader}, so a repeated call takes effect once.`,
  };
}
