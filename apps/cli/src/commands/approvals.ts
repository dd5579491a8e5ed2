import type { Client } from '@executor/client';
import {
  ExecutorError,
  type Interaction,
  type InteractionStatus,
  nearest,
  printable,
} from '@executor/protocol';
import pc from 'picocolors';
import { describeInteraction } from '../answer/describe.ts';
import { answererOf, past } from '../answer/resolve.ts';
import { connect } from '../connect.ts';
import { ago, jsonText, oneLine, printJson, printTable, self } from '../output.ts';
import { ruleText } from '../policy/rule-text.ts';

interface ListOptions {
  status: InteractionStatus;
  execution?: string;
  json?: boolean;
}

export async function listInteractions({ status, execution, json = false }: ListOptions): Promise<void> {
  const client = await connect();
  const items = await allInteractions(client, { status, ...(execution && { executionId: execution }) });
  if (json) return printJson({ items });
  if (items.length === 0)
    return console.log(status === 'pending' ? 'Nothing waits for you.' : `No question is ${status}.`);
  printTable(
    ['ID', 'KIND', 'TOOL', 'AGE', 'RUN', 'ASKS'],
    items.map((item) => interactionRow(item)),
  );
  if (status === 'pending')
    console.error(
      pc.dim(
        `\`${self} approvals show ID\` shows what would be sent, \`approve ID\` and \`deny ID\` answer.`,
      ),
    );
}

/** All of a list, page by page, the oldest first: what waits longest comes first. */
export async function allInteractions(
  client: Client,
  query: { status: InteractionStatus; executionId?: string },
): Promise<Interaction[]> {
  const items: Interaction[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.interactions.list({
      ...query,
      limit: 200,
      ...(cursor !== undefined && { cursor }),
    });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items.reverse();
}

/** A question as a row of a list. */
export function interactionRow(
  { id, kind, tool, createdAt, executionId, prompt }: Interaction,
  now = Date.now(),
): string[] {
  // Of a call its input tells more than the sentence that asks about it.
  const asks = kind === 'approval' && tool ? jsonText(tool.input) : prompt;
  return [id, kind, oneLine(tool?.path ?? '', 48), ago(createdAt, now), executionId, oneLine(asks, 60)];
}

export async function showInteraction(id: string, { json = false }: { json?: boolean }): Promise<void> {
  const client = await connect();
  const interaction = await findInteraction(client, id);
  if (json) return printJson(interaction);
  const { kind, status, executionId, createdAt, remember, url, resolution, resolvedAt } = interaction;
  console.log(`${pc.bold(interaction.id)}  ${kind}, ${status}, asked ${ago(createdAt)} by ${executionId}`);
  console.log(`\n${describeInteraction(interaction, { whole: true }).lines.join('\n')}\n`);
  if (resolution)
    console.log(
      printable(`It was ${past[resolution.action]} by ${answererOf(resolution)} ${ago(resolvedAt)}.`),
    );
  if (status !== 'pending') return;
  if (remember) console.log(`--remember would add the rule: ${ruleText(remember)}`);
  console.log(printable(`In the browser: ${url}`));
}

/** Where there is no such question, names the one that was probably meant. */
export async function findInteraction(client: Client, id: string): Promise<Interaction> {
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
