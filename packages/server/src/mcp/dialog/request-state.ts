import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';

/**
 * The state of a call between two rounds. Since 2026-07-28 the client carries it and no server stores it. It is signed, so that the client
 * cannot change it, and bound to an owner, a call and an expiry time, so that it is useless to others. It holds no secrets, because the
 * client can read it.
 */
const RequestState = z.strictObject({
  ownerId: z.string(),
  call: z.string(),
  executionId: z.string(),
  asked: z.array(z.strictObject({ interactionId: z.string(), hash: z.string(), isForm: z.boolean() })),
  /** Ids of questions that were asked earlier in this call. They are not asked again. */
  putOff: z.array(z.string()),
  round: z.int(),
  /** Whether the call got the run of an earlier call. */
  isJoined: z.boolean().optional(),
  expiresAt: z.int(),
});
export type RequestState = z.infer<typeof RequestState>;

/** Separates these signatures from others that use the same key. */
const purpose = 'executor.mcp.requestState.2';
const maxCharacters = 100_000;

export function signState(state: RequestState, key: string): string {
  const body = Buffer.from(JSON.stringify(state)).toString('base64url');
  return `${body}.${signatureOf(body, key).toString('base64url')}`;
}

/** Identifies a call across rounds. */
export function callHash(tool: string, subject: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, subject]))
    .digest('base64url');
}

/** Verifies and decodes a state. Throws if it is forged, expired, or belongs to another owner or call. */
export function readState(
  text: string,
  key: string,
  expected: { ownerId: string; call: string; now: number },
): RequestState {
  const [body = '', signature = '', ...rest] = text.length <= maxCharacters ? text.split('.') : [];
  const actual = Buffer.from(signature, 'base64url');
  const valid = signatureOf(body, key);
  if (rest.length > 0 || actual.length !== valid.length || !timingSafeEqual(actual, valid)) {
    throw refused('forged', 'this server did not issue it, or it was changed');
  }
  const state = RequestState.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
  if (state.ownerId !== expected.ownerId) throw refused('otherKey', 'it was issued to another key');
  if (state.call !== expected.call) throw refused('otherCall', 'it belongs to another call');
  if (state.expiresAt <= expected.now) {
    throw refused('expired', `it expired at ${new Date(state.expiresAt).toISOString()}`, state.executionId);
  }
  return state;
}

function signatureOf(body: string, key: string): Buffer {
  return createHmac('sha256', key).update(`${purpose}.${body}`).digest();
}

function refused(reason: string, why: string, executionId?: string): ProtocolError {
  const next =
    executionId === undefined ? 'Make a new call' : `Call resume with executionId "${executionId}"`;
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `requestState: ${why}. No answer was submitted. ${next}, without requestState and inputResponses.`,
    { reason, ...(executionId !== undefined && { executionId }) },
  );
}
