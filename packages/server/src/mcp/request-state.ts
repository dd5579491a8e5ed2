import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';

/**
 * What a client carries from one round of a call to the next: since 2026-07-28 no server keeps it. It is signed, so that it comes back as
 * it was given out; and since whoever was given it may hand it on, it says whose it is, for which call, and until when.
 * It holds nothing secret: whoever carries it can read it.
 */
const RequestState = z.strictObject({
  ownerId: z.string(),
  call: z.string(),
  executionId: z.string(),
  asked: z.array(z.strictObject({ interactionId: z.string(), hash: z.string(), isForm: z.boolean() })),
  /** The ids of what was asked before in this call and was not answered: it is not asked again. */
  putOff: z.array(z.string()),
  round: z.int(),
  expiresAt: z.int(),
});
export type RequestState = z.infer<typeof RequestState>;

/** Says what the signature is for, so that it is good for nothing else that may ever be signed with the same key. */
const purpose = 'executor.mcp.requestState.2';
const maxCharacters = 100_000;

export function signState(state: RequestState, key: string): string {
  const body = Buffer.from(JSON.stringify(state)).toString('base64url');
  return `${body}.${signatureOf(body, key).toString('base64url')}`;
}

/** What makes a call the same call in every round. */
export function callHash(tool: string, subject: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, subject]))
    .digest('base64url');
}

/** Refuses what was not signed here, is somebody else's or of another call, or is too old. */
export function readState(
  text: string,
  key: string,
  expected: { ownerId: string; call: string; now: number },
): RequestState {
  const [body = '', signature = '', ...rest] = text.length <= maxCharacters ? text.split('.') : [];
  const given = Buffer.from(signature, 'base64url');
  const right = signatureOf(body, key);
  if (rest.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) {
    throw refused('forged', 'it was not given out here, or was changed since');
  }
  const state = RequestState.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
  if (state.ownerId !== expected.ownerId) throw refused('otherKey', 'it was given to another key');
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
    executionId === undefined ? 'Make the call anew' : `Call resume with executionId "${executionId}"`;
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `requestState: ${why}. Nothing was answered. ${next}, without requestState and inputResponses.`,
    { reason, ...(executionId !== undefined && { executionId }) },
  );
}
