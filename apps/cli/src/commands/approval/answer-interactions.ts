import type { Client } from '@executor/client';
import {
  ExecutorError,
  type Interaction,
  type NewPolicy,
  type Resolution,
  wasNotSent,
} from '@executor/protocol';
import { allInteractions } from '../../answer/all-interactions.ts';
import { describeSeveral } from '../../answer/describe.ts';
import { parseTypedJson } from '../../answer/form.ts';
import { PresenceProof } from '../../answer/presence-proof.ts';
import { outcomeText, past, type Resolved, resolveInteraction } from '../../answer/resolve.ts';
import type { Environment } from '../../environment.ts';
import { oneLine } from '../../output.ts';
import { noteLine, ruleText } from '../../policy/rule-text.ts';
import { SteadyServer } from '../../run/steady-server.ts';
import { connect } from '../../server/connect.ts';
import { style } from '../../style.ts';
import { findInteraction } from './approvals.ts';

interface CommonOptions {
  json?: boolean;
}

interface ManyOptions extends CommonOptions {
  all?: boolean;
  yes?: boolean;
}

export async function approve(
  environment: Environment,
  ids: string[],
  options: ManyOptions & { remember?: boolean; allIdentical?: boolean },
): Promise<void> {
  const scope = options.allIdentical ? 'identical' : 'once';
  const interactions = await selected(environment, ids, options);
  if (interactions === undefined) return;
  await answerEach(environment, interactions, options, async (interaction) => {
    const remember = options.remember ? await ruleToRemember(environment, interaction, options) : undefined;
    return { action: 'approve', scope, ...(remember && { remember }) };
  });
}

export async function deny(
  environment: Environment,
  ids: string[],
  options: ManyOptions & { reason?: string },
): Promise<void> {
  const interactions = await selected(environment, ids, options);
  if (interactions === undefined) return;
  const { reason } = options;
  await answerEach(environment, interactions, options, async () => ({
    action: 'deny',
    ...(reason && { reason }),
  }));
}

export async function submit(
  environment: Environment,
  id: string,
  options: CommonOptions & { data: string },
): Promise<void> {
  // A secret from standard input is in no process list and in no shell history.
  const typed = options.data === '-' ? await environment.readInput() : options.data;
  const data = parseTypedJson(typed, '--data');
  await answerOne(environment, id, options, { action: 'submit', data });
}

export async function decline(environment: Environment, id: string, options: CommonOptions): Promise<void> {
  await answerOne(environment, id, options, { action: 'cancel' });
}

export async function retry(environment: Environment, id: string, options: CommonOptions): Promise<void> {
  await answerOne(environment, id, options, { action: 'retry' });
}

export async function complete(
  environment: Environment,
  id: string,
  options: CommonOptions & { result: string },
): Promise<void> {
  const data = parseTypedJson(options.result, '--result');
  await answerOne(environment, id, options, { action: 'complete', data });
}

export async function fail(
  environment: Environment,
  id: string,
  options: CommonOptions & { reason?: string },
): Promise<void> {
  await answerOne(environment, id, options, {
    action: 'fail',
    ...(options.reason && { reason: options.reason }),
  });
}

async function answerOne(
  environment: Environment,
  id: string,
  options: CommonOptions,
  resolution: Resolution,
): Promise<void> {
  const client = await connect(environment);
  await answerEach(environment, [await findInteraction(client, id)], options, async () => resolution, client);
}

/** The named questions, or all pending approvals. Undefined if the user did not confirm. */
async function selected(
  environment: Environment,
  ids: string[],
  { all = false, yes = false }: ManyOptions,
): Promise<Interaction[] | undefined> {
  if (all === ids.length > 0) throw new ExecutorError('usage', 'Pass the ids of questions, or --all.');
  if (all && !yes && !environment.isInteractive)
    throw new ExecutorError('usage', '--all answers all pending approvals. Add --yes in a script.');
  const client = await connect(environment);
  if (!all) return Promise.all([...new Set(ids)].map((id) => findInteraction(client, id)));
  const waiting = await allInteractions(client, { status: 'pending' });
  const approvals = waiting.filter(({ kind }) => kind === 'approval');
  if (approvals.length === 0) {
    environment.print('No approvals are pending.');
    return undefined;
  }
  return yes || (await confirmed(environment, approvals)) ? approvals : undefined;
}

/** Shows every question completely and asks for confirmation, so that one yes covers only calls that the user saw. */
async function confirmed(environment: Environment, interactions: Interaction[]): Promise<boolean> {
  const [{ showInPages }, { choose }] = await Promise.all([
    import('../../answer/pages.ts'),
    import('../../answer/prompts.ts'),
  ]);
  if (!(await showInPages(environment, describeSeveral(interactions, { whole: true }).lines))) return false;
  const chosen = await choose(environment, { message: `Answer all ${interactions.length}?` }, [
    { value: 'no', label: 'No' },
    { value: 'yes', label: `Yes, all ${interactions.length}` },
  ]);
  return chosen === 'yes';
}

/** The narrowest rule for a call. It is shown before it is saved, and can be changed at a terminal. */
async function ruleToRemember(
  environment: Environment,
  interaction: Interaction,
  { yes = false }: ManyOptions,
): Promise<NewPolicy> {
  const { id, remember } = interaction;
  if (remember === undefined)
    throw new ExecutorError(
      'invalidRequest',
      `There is no rule to remember for ${id}. Approve it without --remember.`,
    );
  if (yes || !environment.isInteractive) {
    environment.note(`From now on: ${ruleText(remember)}${noteLine(remember)}`);
    return remember;
  }
  const { editRule } = await import('../../answer/rule-editor.ts');
  const rule = await editRule(environment, remember, new AbortController().signal);
  if (rule) return rule;
  throw new ExecutorError('usage', 'Nothing was approved.');
}

async function answerEach(
  environment: Environment,
  interactions: Interaction[],
  { json = false }: CommonOptions,
  resolutionOf: (interaction: Interaction) => Promise<Resolution>,
  client?: Client,
): Promise<void> {
  const server = new SteadyServer(environment, client ?? (await connect(environment)));
  const proof = new PresenceProof(environment);
  const items: { id: string; resolved: Resolved }[] = [];
  for (const interaction of interactions) {
    const { id } = interaction;
    const resolution = await resolutionOf(interaction);
    const outcome = await resolveInteraction(server, proof, { id, ...resolution });
    const resolved = items.length > 0 ? orAnsweredWithAnother(outcome, resolution) : outcome;
    items.push({ id, resolved });
    if (!json) printAnswer(environment, interaction, resolved, resolution);
  }
  if (items.some(({ resolved }) => resolved.type === 'lost')) environment.exitCode = 1;
  if (json) environment.printJson({ items: items.map(({ id, resolved }) => answerJson(id, resolved)) });
}

/** A question may have been answered together with an identical one just before. */
function orAnsweredWithAnother(outcome: Resolved, { scope, action }: Resolution): Resolved {
  const earlier = outcome.interaction?.resolution;
  const together = scope === 'identical' && earlier?.scope === 'identical' && earlier.action === action;
  return outcome.interaction && together ? { type: 'resolved', interaction: outcome.interaction } : outcome;
}

function printAnswer(
  environment: Environment,
  { id, tool, prompt }: Interaction,
  resolved: Resolved,
  { action }: Resolution,
): void {
  const what = `${id}  ${oneLine(tool?.path ?? prompt, 60)}`;
  if (resolved.type === 'resolved') {
    const { outcome } = resolved.interaction;
    const mark = outcome && wasNotSent(outcome) ? style.yellow('!') : style.green('✓');
    const answer = `${past[action]}${withOthers(resolved.interaction)}`;
    environment.print(`${mark} ${what}: ${answer}${outcomeText(resolved.interaction)}`);
  } else environment.printError(`${style.yellow('!')} ${what}: ${resolved.message}`);
}

function withOthers({ alsoResolved = [] }: Interaction): string {
  return alsoResolved.length > 0 ? `, and with it ${alsoResolved.join(', ')}` : '';
}

function answerJson(id: string, resolved: Resolved): Record<string, unknown> {
  return resolved.type === 'resolved'
    ? { id, interaction: resolved.interaction }
    : { id, interaction: resolved.interaction, error: { code: 'conflict', message: resolved.message } };
}
