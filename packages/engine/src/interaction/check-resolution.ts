import { actionsOf, ExecutorError, type NewPolicy, type Resolution } from '@executor/protocol';
import { conditionFailure } from '../policy/condition.ts';
import { appliesTo, type RuledCall } from '../policy/decide.ts';
import type { InteractionRow } from '../ports/interaction-store.ts';
import type { InputValidator } from '../validation/input-validator.ts';
import { isObject } from '../validation/schema-document.ts';

type Asked = Pick<InteractionRow, 'kind' | 'toolPath' | 'request'>;

/** Rejects an answer that does not fit the question. Returns the data to store, with the form's defaults filled in. */
export function checkResolution(asked: Asked, resolution: Resolution, validator: InputValidator): unknown {
  const { action, reason, scope, remember, data } = resolution;
  const actions: readonly string[] = actionsOf[asked.kind];
  if (!actions.includes(action)) {
    throw invalid(`action: ${asked.kind} takes ${list(actions)}, not ${action}.`);
  }
  if (reason !== undefined && action !== 'deny' && action !== 'fail') {
    throw invalid(`reason: is only for deny and fail, where the code receives it, not for ${action}.`);
  }
  if (scope === 'identical' && asked.kind !== 'approval') {
    throw invalid(`scope: "identical" is only for approve and deny, not for ${action}.`);
  }
  if (remember !== undefined && action !== 'approve') {
    throw invalid(`remember: is only for approve, not for ${action}. To deny from now on, add a policy.`);
  }
  if (data !== undefined && action !== 'submit' && action !== 'complete') {
    throw invalid(`data: is only for submit and complete, not for ${action}.`);
  }
  if (action === 'complete' && data === undefined) {
    throw invalid('data: complete needs the result of the call as JSON, or null if it has none.');
  }
  return action === 'submit' ? submitted(asked, data, validator) : data;
}

/** Rejects a rule to remember that does not cover the approved call. */
export function checkRemembered(
  rule: NewPolicy,
  { caller, tool, input }: RuledCall,
  narrowest: NewPolicy | null,
): void {
  const failure = coverFailure(rule, { caller, tool, input });
  if (failure === undefined) return;
  const instead = narrowest ? ` The narrowest rule that does: ${JSON.stringify(narrowest)}` : '';
  throw new ExecutorError(
    'invalidRequest',
    `remember: this rule does not cover the call: ${failure}.${instead}`,
    {
      details: { ...(narrowest && { narrowest }) },
    },
  );
}

function coverFailure(rule: NewPolicy, call: RuledCall): string | undefined {
  if (rule.decision !== 'allow') return `it says ${rule.decision}, but the answer is approve`;
  if (!appliesTo({ ...rule, scope: { type: 'workspace' }, id: '' }, call)) {
    return `its pattern ${rule.pattern} is not for ${call.tool.path}`;
  }
  if (!appliesTo({ ...rule, id: '' }, call)) {
    return `its scope is another ${rule.scope.type} than that of the run`;
  }
  for (const condition of rule.conditions) {
    const failure = conditionFailure(condition, call.input, rule.decision);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function submitted(asked: Asked, data: unknown, validator: InputValidator): unknown {
  const { kind, toolPath, request } = asked;
  const form = formOf(request === null ? null : JSON.parse(request));
  // Returning from the opened page may be the whole answer.
  const isPage = kind === 'oauth' || pageOf(asked.request) !== undefined;
  if (data === undefined && isPage && form === undefined) return undefined;
  if (data === undefined) throw invalid('data: submit needs the fields of the form.');
  if (form === undefined) return data;
  const checked = validator.check({ path: toolPath, version: '', inputSchema: form }, data, 'data');
  if (checked.type === 'valid') return checked.input;
  throw new ExecutorError('invalidRequest', checked.message, { details: checked.details });
}

/** The page that a question asks to open. */
function pageOf(request: string | null): string | undefined {
  const page: unknown = request === null ? undefined : JSON.parse(request);
  return isObject(page) && typeof page.url === 'string' ? page.url : undefined;
}

/** The JSON Schema of a form: the request itself, or its field `schema`. */
export function formOf(request: unknown): Record<string, unknown> | undefined {
  if (!isObject(request)) return undefined;
  if (Object.hasOwn(request, 'schema') && isObject(request.schema)) return request.schema;
  return request.type === 'object' || isObject(request.properties) ? request : undefined;
}

function list(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : `${words[0]}`;
}

function invalid(message: string): ExecutorError {
  return new ExecutorError('invalidRequest', message);
}
