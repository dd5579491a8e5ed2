import type { ToolRow } from '@executor/engine';
import { own, textOf } from '../../../document/json.ts';
import { destroyVerbs, namesDestruction, readVerbs, writeVerbs } from '../../../text/verbs.ts';
import { wordsOf } from '../../../text/words.ts';
import { effectOfMethod, type MethodEffect, worstOf } from '../../method-effect.ts';
import type { Operation } from '../operation/operations.ts';

type EffectFields = Pick<ToolRow, 'effect' | 'repeatable' | 'suggestion'>;

/** The effect of a call that may send other methods than its own. They make it stricter, and no word suggests otherwise. */
export function withOverrides(fields: EffectFields, overrides: readonly MethodEffect[]): EffectFields {
  return overrides.length === 0 ? fields : worstOf(overrides, fields);
}

/**
 * The effect of a call, from its method. The document's words can make it stricter. Anything that would make it looser is a suggestion
 * that a user must accept.
 */
export function effectOf(operation: Operation, idempotencyHeader: string | undefined): EffectFields {
  const byDefault = effectOfMethod(operation.method);
  const name = nameWords(operation);
  if (destroys(operation, name)) {
    return { effect: 'destructive', repeatable: operation.method === 'DELETE' || operation.method === 'PUT' };
  }
  if (byDefault.effect === 'read' && writeVerbs.has(name[0] ?? ''))
    return { effect: 'write', repeatable: false };
  const suggestion = suggest(operation, name, idempotencyHeader);
  return { ...byDefault, ...(suggestion && !byDefault.repeatable && { suggestion }) };
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
  if (effectOfMethod(method).effect === 'read')
    return destroyVerbs.has(name[0] ?? '') || (verb.length === 1 && destroyVerbs.has(verb[0] ?? ''));
  // `createRemoveToken` creates a token.
  return !writeVerbs.has(name[0] ?? '') && (namesDestruction(name) || namesDestruction(verb));
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
  const texts: [where: string, words: string[]][] = [
    ['its id', name.slice(0, 1)],
    ['its summary', summary],
    ['its path', lastWords.slice(-1)],
  ];
  const writes = texts.some(([, found]) => found.some((word) => writeVerbs.has(word.toLowerCase())));
  const evidence = texts.find(([, found]) => found.some((word) => readVerbs.has(word.toLowerCase())));
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
