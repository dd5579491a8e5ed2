import { ExecutorError, type Interaction, printable, type Resolution } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { oneLine } from '../output.ts';
import type { SteadyServer } from '../run/steady-server.ts';
import { style } from '../style.ts';
import { allInteractions } from './all-interactions.ts';
import { askDetails, withReason } from './ask-details.ts';
import { type Choice, choicesFor, choicesForSeveral } from './choices.ts';
import { describeInteraction, describeSeveral } from './describe.ts';
import type { AnswerOutcome, AnswerStep, CloseReason } from './open-question.ts';
import { showInPages } from './pages.ts';
import { PresenceProof } from './presence-proof.ts';
import { choose } from './prompts.ts';
import { outcomeText, past, resolveInteraction, resolveSeveral } from './resolve.ts';

interface Desk {
  environment: Environment;
  server: SteadyServer;
  proof: PresenceProof;
  /** Whether answering in the browser is offered. */
  browser: boolean;
}

type StepOptions = Parameters<AnswerStep>[1];

/** Asks the user at the terminal the pending questions of a run, one by one, or one question about several approvals. */
export function answerAtTerminal(
  environment: Environment,
  { server, browser }: { server: SteadyServer; browser: boolean },
): AnswerStep {
  const desk: Desk = { environment, server, browser, proof: new PresenceProof(environment) };
  const oneByOne = new Set<string>();
  return async (execution, options) => {
    const pending = await pendingOf(server, execution.id);
    if (pending === undefined) return 'left';
    const fresh = pending.filter(({ id }) => !options.postponed.has(id));
    const together = fresh.filter(({ id, kind }) => kind === 'approval' && !oneByOne.has(id));
    try {
      if (together.length > 1)
        return await askAboutSeveral(environment, desk, together, { ...options, oneByOne });
      return fresh[0] ? await askAboutOne(environment, desk, fresh[0], options) : 'answered';
    } catch (error) {
      // A rejected answer (an invalid form, too many wrong PINs) is reported, and the question is asked again.
      if (!(error instanceof ExecutorError)) throw error;
      desk.environment.printError(style.red(printable(error.message)));
      return 'answered';
    }
  };
}

/** The pending questions of a run, oldest first. Undefined for an agent, which may not answer. */
async function pendingOf(server: SteadyServer, executionId: string): Promise<Interaction[] | undefined> {
  try {
    return await server.request((client) => allInteractions(client, { status: 'pending', executionId }));
  } catch (error) {
    if (error instanceof ExecutorError && error.code === 'forbidden') return undefined;
    throw error;
  }
}

async function askAboutOne(
  _environment: Environment,
  desk: Desk,
  interaction: Interaction,
  { postponed, asking }: StepOptions,
): Promise<AnswerOutcome> {
  const signal = asking([interaction.id]);
  let { lines, cut } = describeInteraction(interaction);
  for (;;) {
    desk.environment.printError(['', ...lines].join('\n'));
    const rows = choicesFor(interaction, { browser: desk.browser, cut });
    const message = `${oneLine(interaction.tool?.path ?? interaction.kind, 60)}: your answer?`;
    const choice = await choose(desk.environment, { message, signal }, rows);
    if (signal.aborted) return closed(desk, signal);
    if (choice === undefined) return 'interrupted';
    if (choice === 'whole') {
      ({ lines, cut } = describeInteraction(interaction, { whole: true }));
      continue;
    }
    if (choice === 'later' || choice === 'browser') return putOff(desk, [interaction], choice, postponed);
    const resolution = await askDetails(desk.environment, choice, interaction, signal);
    if (signal.aborted) return closed(desk, signal);
    if (resolution) return answer(desk, interaction, resolution);
  }
}

async function askAboutSeveral(
  environment: Environment,
  desk: Desk,
  interactions: Interaction[],
  { postponed, asking, oneByOne }: StepOptions & { oneByOne: Set<string> },
): Promise<AnswerOutcome> {
  const ids = interactions.map(({ id }) => id);
  const signal = asking(ids);
  let { lines, cut } = describeSeveral(interactions);
  desk.environment.printError(lines.join('\n'));
  for (;;) {
    const message = `${interactions.length} calls need your approval`;
    const rows = choicesForSeveral(interactions.length, { browser: desk.browser, cut });
    const choice = await choose(desk.environment, { message, signal }, rows);
    if (signal.aborted) return closed(desk, signal);
    if (choice === undefined) return 'interrupted';
    if (choice === 'later' || choice === 'browser') return putOff(desk, interactions, choice, postponed);
    if (choice === 'whole') {
      ({ lines } = describeSeveral(interactions, { whole: true }));
      cut = !(await showInPages(desk.environment, lines, signal));
      continue;
    }
    if (choice === 'each') {
      for (const id of ids) oneByOne.add(id);
      return 'answered';
    }
    const resolution = await resolutionOfSeveral(environment, desk, choice, signal);
    if (signal.aborted) return closed(desk, signal);
    if (resolution) return answerSeveral(desk, ids, resolution);
  }
}

async function resolutionOfSeveral(
  _environment: Environment,
  desk: Desk,
  choice: Choice,
  signal: AbortSignal,
): Promise<Resolution | undefined> {
  return choice === 'approve'
    ? { action: 'approve', scope: 'once' }
    : withReason(desk.environment, 'deny', signal);
}

async function answer(desk: Desk, interaction: Interaction, resolution: Resolution): Promise<AnswerOutcome> {
  const resolved = await resolveInteraction(desk.server, desk.proof, { id: interaction.id, ...resolution });
  const what = oneLine(interaction.tool?.path ?? interaction.prompt, 80);
  const others = resolved.type === 'resolved' ? (resolved.interaction.alsoResolved ?? []) : [];
  const more = others.length > 0 ? `, and ${others.length} identical` : '';
  desk.environment.printError(
    resolved.type === 'lost'
      ? style.yellow(resolved.message)
      : style.dim(`${what}: ${past[resolution.action]}${more}${outcomeText(resolved.interaction)}`),
  );
  return 'answered';
}

async function answerSeveral(desk: Desk, ids: string[], resolution: Resolution): Promise<AnswerOutcome> {
  const lost = await resolveSeveral(desk.server, desk.proof, { ids, ...resolution });
  desk.environment.printError(
    style.dim(`${ids.length - lost.length} of ${ids.length} ${past[resolution.action]}`),
  );
  for (const { id, message } of lost)
    desk.environment.printError(style.yellow(`${printable(id)}: ${message}`));
  return 'answered';
}

async function putOff(
  desk: Desk,
  interactions: Interaction[],
  how: 'later' | 'browser',
  postponed: StepOptions['postponed'],
): Promise<AnswerOutcome> {
  for (const { id } of interactions) postponed.set(id, how);
  if (how === 'browser') await openPage(desk, interactions[0]?.url);
  return 'answered';
}

/** Opens the page of a question with a one-time link that signs in. */
async function openPage(desk: Desk, page: string | undefined): Promise<void> {
  const link = new URL((await desk.server.request((client) => client.sessions.createLink())).url);
  if (page !== undefined && URL.canParse(page) && new URL(page).origin === link.origin) {
    link.pathname = new URL(page).pathname;
    link.search = new URL(page).search;
  }
  const opened = await openInBrowser(desk.environment, link.href);
  desk.environment.printError(
    opened
      ? `Opened ${link.origin}${link.pathname} in the browser.`
      : `No browser could be opened here. Open this link within five minutes. It works once:\n${link.href}`,
  );
}

function closed(desk: Desk, { reason }: AbortSignal): AnswerOutcome {
  if ((reason as CloseReason) === 'settled')
    desk.environment.printError(style.dim('The question was answered elsewhere or withdrawn.'));
  return 'answered';
}
