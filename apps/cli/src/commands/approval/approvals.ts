import type { Client } from '@executor/client';
import {
  askerName,
  ExecutorError,
  groupByAsker,
  type Interaction,
  type InteractionStatus,
  nearest,
  printable,
  questionCount,
} from '@executor/protocol';
import { allInteractions } from '../../answer/all-interactions.ts';
import { describeInteraction } from '../../answer/describe.ts';
import { past } from '../../answer/resolve.ts';
import type { Environment } from '../../environment.ts';
import { ago, jsonText, oneLine } from '../../output.ts';
import { noteLine, ruleText } from '../../policy/rule-text.ts';
import { type NameOf, readActorNames } from '../../server/actor-names.ts';
import { completeId } from '../../server/complete-id.ts';
import { connect } from '../../server/connect.ts';
import { style } from '../../style.ts';

interface ListOptions {
  status: InteractionStatus;
  execution?: string;
  json?: boolean;
}

export async function listInteractions(
  environment: Environment,
  { status, execution, json = false }: ListOptions,
): Promise<void> {
  const client = await connect(environment);
  const executionId = execution && (await completeId(client, 'execution', execution));
  const items = await allInteractions(client, { status, ...(executionId && { executionId }) });
  if (json) return environment.printJson({ items });
  if (items.length === 0)
    return environment.print(
      status === 'pending' ? 'No questions are pending.' : `No question is ${status}.`,
    );
  printGroups(environment, items);
  if (status !== 'pending') return;
  const kinds = [...new Set(items.map(({ kind }) => kind))];
  const answers = kinds.map((kind) => `${aKind[kind]} with ${list(answersTo[kind])}`).join(', ');
  environment.printError(
    style.dim(`\`executor approvals show ID\` shows all of a question. Answer ${answers}.`),
  );
}

/** A heading and a table for each key, with the questions of a run together. */
function printGroups(environment: Environment, items: Interaction[]): void {
  for (const [index, { askedBy, count, runs }] of groupByAsker(items).entries()) {
    if (index > 0) environment.print('');
    const heading = `${askerName(askedBy)} (${askedBy.ownerId}), ${questionCount(count)}`;
    environment.print(style.bold(printable(heading)));
    environment.printTable(
      ['ID', 'KIND', 'TOOL', 'AGE', 'RUN', 'ASKS'],
      runs.flatMap(({ interactions }) => interactions.map((item) => interactionRow(item))),
    );
  }
}

/** The commands that answer a question, by its kind. */
const answersTo: Record<Interaction['kind'], string[]> = {
  approval: ['approve', 'deny'],
  elicitation: ['answer', 'decline'],
  credential: ['answer', 'decline'],
  oauth: ['answer', 'decline'],
  reconcile: ['retry', 'complete', 'fail'],
};

const aKind: Record<Interaction['kind'], string> = {
  approval: 'an approval',
  elicitation: 'a form',
  credential: 'a request for credentials',
  oauth: 'a sign-in',
  reconcile: 'a call that may or may not have happened',
};

function list(words: string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** A question as a row of a list. */
export function interactionRow(
  { id, kind, tool, createdAt, executionId, prompt }: Interaction,
  now = Date.now(),
): string[] {
  // The input of a call says more than the prompt.
  const asks = (kind === 'approval' || kind === 'reconcile') && tool ? jsonText(tool.input) : prompt;
  return [id, kind, oneLine(tool?.path ?? '', 48), ago(createdAt, now), executionId, oneLine(asks, 60)];
}

export async function showInteraction(
  environment: Environment,
  id: string,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const interaction = await findInteraction(client, id);
  if (json) return environment.printJson(interaction);
  const { kind, status, executionId, createdAt, remember, url, resolution, resolvedAt } = interaction;
  const nameOf = await readActorNames(client);
  environment.print(
    `${style.bold(interaction.id)}  ${kind}, ${status}, asked ${ago(createdAt, environment.now())} by ${executionId}`,
  );
  environment.print(printable(`The run is ${await whose(client, executionId, nameOf)}.`));
  environment.print(`\n${describeInteraction(interaction, { whole: true }).lines.join('\n')}\n`);
  if (resolution) {
    const deed = `It was ${past[resolution.action]} by ${answerer(resolution, nameOf)} ${ago(resolvedAt)}.`;
    environment.print(printable(deed));
  }
  if (status !== 'pending') return;
  environment.print(`Answer with \`executor approvals ${list(answersTo[kind])}\`, or in the browser:`);
  environment.print(printable(`  ${url}`));
  if (remember)
    environment.print(`--remember would add the rule: ${ruleText(remember)}${noteLine(remember)}`);
}

/** Who answered: a user, or the dialog of an agent's client. */
function answerer({ actorId, dialogOf }: NonNullable<Interaction['resolution']>, nameOf: NameOf): string {
  return dialogOf === undefined ? nameOf(actorId) : `the dialog of an agent’s client (${dialogOf})`;
}

/** The owner of a run and its agent application. */
async function whose(client: Client, executionId: string, nameOf: NameOf): Promise<string> {
  const { actorId, clientId } = await client.executions.get({ id: executionId });
  return `${nameOf(actorId)}'s${clientId === undefined ? '' : `, of the client ${clientId}`}`;
}

/** Adds the nearest id to the error about an unknown question. */
export async function findInteraction(client: Client, typedId: string): Promise<Interaction> {
  const id = await completeId(client, 'interaction', typedId);
  try {
    return await client.interactions.get({ id });
  } catch (error) {
    if (!(error instanceof ExecutorError) || error.code !== 'notFound') throw error;
    const { items } = await client.interactions.list({ status: 'pending', limit: 200 });
    const meant = nearest(
      id,
      items.map((item) => item.id),
    );
    if (meant === undefined) throw error;
    throw new ExecutorError('notFound', `${error.message} Did you mean ${meant}?`, { cause: error });
  }
}
