import { indescribable, outOfMemory, thrownNull, uninitialized } from './contract.ts';
import { defineGlobals, defineOwn, NativeError, NativeReferenceError, parse, stringify } from './host.ts';
import { inspect } from './inspect.ts';
import { framesOf, setFrames } from './stack.ts';
import { hintFor } from './undefined-names.ts';

const maxText = 10_000;
const { isArray } = Array;
const textOf = String;

/** A call that the engine, the policy or the system behind the tool refused or failed. */
export class ToolError extends NativeError {
  declare details: unknown;
}

class ToolDeniedError extends ToolError {}

export class LimitError extends NativeError {}

/** The value has no form outside the sandbox. */
export class EncodeError extends TypeError {}

/** The sandbox does not have what was used. Code knows it as the error of the language for that. */
export class MissingError extends NativeReferenceError {}

for (const [name, { prototype }] of Object.entries({ ToolError, ToolDeniedError, LimitError, EncodeError })) {
  Object.defineProperty(prototype, 'name', { value: name, writable: true, configurable: true });
}
defineGlobals({ ToolError, ToolDeniedError, LimitError });

/** The stack is that of the line which made the call: when the answer comes, no line of the code is running. */
export function toolError(
  answer: { name: string; message: string; details: string },
  stack: string,
): ToolError {
  const error =
    answer.name === 'ToolDeniedError' ? new ToolDeniedError(answer.message) : new ToolError(answer.message);
  if (error.name !== answer.name) defineOwn(error, 'name', answer.name);
  setFrames(error, stack);
  if (answer.details !== '') error.details = parse(answer.details);
  return error;
}

const indescribableJson = `{"name":"Error","message":"${indescribable}","stack":""}`;

/**
 * Whatever was thrown, as JSON. Must not throw, though getters of the thrown value may. Without prototypes: code may have given
 * all objects a `toJSON`.
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
    // Made beforehand: there may be no room for it now.
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
