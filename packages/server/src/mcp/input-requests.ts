import { createHmac } from 'node:crypto';
import type { DialogQuestion } from '@executor/engine';
import {
  type InputRequest,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { dialogOutcome, elicitation } from './client-dialogs.ts';
import { type DialogClient, openQuestions, passOn } from './dialogs.ts';

/** More than that nobody wants to be asked in one moment; the rest follows. */
export const maxAtOnce = 5;

/** A question as a client of 2026-07-28 is asked to put it to its user. */
export function inputRequest(question: DialogQuestion): InputRequest {
  const params = elicitation(question);
  return params.mode === 'url' ? inputRequired.elicitUrl(params) : inputRequired.elicit(params);
}

/** How long an answer within a task counts: whoever polls is told the same names all that time, so that nothing is asked twice. */
const lifeMs = 24 * 3_600_000;

/** What a task asks, by names that the client answers with. */
export async function taskInputRequests(
  client: DialogClient,
  executionId: string,
): Promise<Record<string, InputRequest>> {
  const named = (await namedQuestions(client, executionId)).slice(0, maxAtOnce);
  return Object.fromEntries(named.map(({ name, question }) => [name, inputRequest(question)]));
}

/** Hands on the answers to what is asked now; other names mean nothing. One that is not taken is refused, and may be given again. */
export async function takeTaskInput(
  client: DialogClient,
  executionId: string,
  responses: Record<string, unknown>,
): Promise<void> {
  const { parts, exchange } = client;
  const refusals: string[] = [];
  for (const { name, question } of await namedQuestions(client, executionId)) {
    if (!Object.hasOwn(responses, name)) continue;
    const outcome = dialogOutcome(question.form !== undefined, responses[name]);
    const answered = await passOn(parts, exchange.principal, question, outcome);
    if (answered.type === 'refused') refusals.push(`inputResponses: ${name}: ${answered.message}`);
  }
  if (refusals.length > 0) throw new ProtocolError(ProtocolErrorCode.InvalidParams, refusals.join('\n'));
}

interface NamedQuestion {
  name: string;
  question: DialogQuestion;
}

/**
 * No server keeps what was asked in a task, and the client carries nothing but the names: so a name is signed, and can be made again only
 * for this key, this question, exactly what is shown of it, and this day of its life.
 */
async function namedQuestions(client: DialogClient, executionId: string): Promise<NamedQuestion[]> {
  const questions = await openQuestions(client, executionId);
  if (questions.length === 0) return [];
  const signing = {
    ownerId: client.exchange.ownerId,
    key: await client.parts.stateKey(),
    now: Date.now(),
  };
  return questions.map((question) => ({ name: nameOf(question, signing), question }));
}

export function nameOf(
  { executionId, interactionId, hash, askedAt }: Omit<DialogQuestion, 'message' | 'url'>,
  { ownerId, key, now }: { ownerId: string; key: string; now: number },
): string {
  const day = Math.floor((now - askedAt.getTime()) / lifeMs);
  const said = JSON.stringify([ownerId, executionId, interactionId, hash, day]);
  const signature = createHmac('sha256', key).update(`${purpose}.${said}`).digest('base64url');
  return `${interactionId}.${signature}`;
}

/** Says what the signature is for, so that it is good for nothing else that is signed with the same key. */
const purpose = 'executor.mcp.taskInput.1';
