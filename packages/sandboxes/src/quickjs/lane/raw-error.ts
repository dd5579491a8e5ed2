import { maxErrorBytes, type RawError } from '../messages/messages.ts';

/** Parses the prelude's description of an error. A VM with corrupted memory may write anything. */
export function parseRawError(json: string): RawError {
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, maxErrorBytes) : '');
  try {
    const { name, message, stack, reason, ofResult, cause } = JSON.parse(json);
    return {
      name: text(name) || 'Error',
      message: text(message),
      stack: text(stack),
      reason: reason === 'limit' ? 'limit' : 'thrown',
      ...(ofResult === true && { ofResult }),
      ...(cause && { cause: { name: text(cause.name), message: text(cause.message) } }),
    };
  } catch {
    return { name: 'Error', message: 'The error cannot be described.', stack: '', reason: 'thrown' };
  }
}
