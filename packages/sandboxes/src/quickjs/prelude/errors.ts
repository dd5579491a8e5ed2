import { indescribable, outOfMemory, thrownNull, uninitialized } from './contract.ts';
import { defineGlobals, defineOwn, NativeError, NativeReferenceError, parse, stringify } from './host.ts';
import { inspect } from './inspect.ts';
import { framesOf, setFrames } from './stack.ts';
import { hintFor } from './undefined-names.ts';

const maxText = 10_000;
const { isArray } = Array;
const textOf = String;
const { hasOwn } = Object;

/** A tool call that failed, or that the engine, a policy or the API refused. */
export class ToolError extends NativeError {
  declare details: unknown;
  /** `details.code`, such as `timeout` or the API's own code. */
  declare code: string | number | undefined;
  /** `details.status`: the HTTP status of the API's response. */
  declare status: number | undefined;
}

class ToolDeniedError extends ToolError {}

export class LimitError extends NativeError {}

/** The value cannot be encoded as JSON. */
export class EncodeError extends TypeError {}

/** The code used a name that the sandbox lacks. The code sees it as a `ReferenceError`. */
export class MissingError extends NativeReferenceError {}

for (const [name, { prototype }] of Object.entries({ ToolError, ToolDeniedError, LimitError, EncodeError })) {
  Object.defineProperty(prototype, 'name', { value: name, writable: true, configurable: true });
}
defineGlobals({ ToolError, ToolDeniedError, LimitError });

/** The stack is that of the line that made the call, because no line of the code is running when the answer arrives. */
export function toolError(
  answer: { name: string; message: string; details: string },
  stack: string,
): ToolError {
  const error =
    answer.name === 'ToolDeniedError' ? new ToolDeniedError(answer.message) : new ToolError(answer.message);
  if (error.name !== answer.name) defineOwn(error, 'name', answer.name);
  setFrames(error, stack);
  if (answer.details === '') return error;
  const details: unknown = parse(answer.details);
  error.details = details;
  copyField(error, details, 'code');
  copyField(error, details, 'status');
  return error;
}

/** The copy is not enumerable: a returned or logged error shows the field once, in `details`. */
function copyField(error: ToolError, details: unknown, name: 'code' | 'status'): void {
  if (typeof details !== 'object' || details === null || !hasOwn(details, name)) return;
  const value = (details as Record<string, unknown>)[name];
  if (typeof value === 'number' || (name === 'code' && typeof value === 'string'))
    defineOwn(error, name, value);
}

const indescribableJson = `{"name":"Error","message":"${indescribable}","stack":""}`;

/**
 * The thrown value as JSON. Never throws, though getters of the value may. The described objects have no prototype, because the code may
 * have added a `toJSON` to `Object.prototype`.
 */
export function describeError(thrown: unknown, ofResult?: true): string {
  try {
    const reason = thrown instanceof LimitError ? 'limit' : 'thrown';
    if (!(thrown instanceof NativeError))
      return stringify({ __proto__: null, ...describeOther(thrown), stack: '', reason });
    const { cause } = thrown;
    return stringify({
      __proto__: null,
      name: cut(thrown.name),
      message: cut(thrown.message) + hintOf(thrown) + messagesOf(thrown),
      stack: cut(framesOf(thrown)),
      reason,
      ofResult,
      cause:
        cause instanceof NativeError
          ? { __proto__: null, name: cut(cause.name), message: cut(cause.message) }
          : undefined,
    });
  } catch {
    // This text was made in advance: there may be no memory for it now.
    return indescribableJson;
  }
}

function describeOther(thrown: unknown): { name: string; message: string } {
  if (thrown === null) return { name: 'Error', message: thrownNull };
  if (typeof thrown === 'string') return { name: 'Error', message: cut(thrown) };
  const shown = inspect(thrown);
  if (shown === uninitialized) return { name: 'InternalError', message: outOfMemory };
  return { name: 'Error', message: cut(`A value that is not an error was thrown: ${shown}`) };
}

function hintOf(error: Error): string {
  return error instanceof NativeReferenceError ? hintFor(cut(error.message)) : '';
}

function messagesOf(error: Error): string {
  const { errors } = error as { errors?: unknown };
  if (!isArray(errors)) return '';
  return cut(
    errors
      .map((one) => `\n- ${one instanceof NativeError ? `${one.name}: ${one.message}` : inspect(one)}`)
      .join(''),
  );
}

function cut(text: unknown): string {
  return textOf(text ?? '').slice(0, maxText);
}
