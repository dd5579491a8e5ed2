import { createHmac } from 'node:crypto';
import type { DialogQuestion } from '@executor/engine';
import {
  type InputRequest,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { dialogOutcome, elicitation } from './client-dialogs.ts';
import { type DialogClient, openQuestions, submitAnswer } from './dialogs.ts';

/** At most this many questions are shown at once; the others follow. */
export const maxAtOnce = 5;

/** A question in the form that clients of 2026-07-28 show to their user. */
export function inputRequest(question: DialogQuestion): InputRequest {
  const params = elicitation(question);
  return params.mode === 'url' ? inputRequired.elicitUrl(params) : inputRequired.elicit(params);
}

/** How long the name of a question stays the same, so that a client that polls does not ask the same question twice. */
const lifeMs = 24 * 3_600_000;

/** The open questions of a task, by the names under which the client answers. */
export async function taskInputRequests(
  client: DialogClient,
  executionId: string,
): Promise<Record<string, InputRequest>> {
  const named = (await namedQuestions(client, executionId)).slice(0, maxAtOnce);
  return Object.fromEntries(named.map(({ name, question }) => [name, inputRequest(question)]));
}

/** Submits the answers to open questions and ignores other names. A rejected answer throws, and the client may answer again. */
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
    const submission = await submitAnswer(parts, exchange.principal, question, outcome);
    if (submission.type === 'refused') refusals.push(`inputResponses: ${name}: ${submission.message}`);
  }
  if (refusals.length > 0) throw new ProtocolError(ProtocolErrorCode.InvalidParams, refusals.join('\n'));
}

interface NamedQuestion {
  name: string;
  question: DialogQuestion;
}

/**
 * No server stores which questions a task asked. The client sends back only their names, so each name is a signature over the owner, the
 * question, the exact text shown and the day.
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
  const subject = JSON.stringify([ownerId, executionId, interactionId, hash, day]);
  const signature = createHmac('sha256', key).update(`${purpose}.${subject}`).digest('base64url');
  return `${interactionId}.${signature}`;
}

/** Separates these signatures from others that use the same key. */
const purpose = 'executor.mcp.taskInput.1';
