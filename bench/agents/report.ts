import { existsSync, readFileSync } from 'node:fs';
import type { Figure } from '../figure.ts';
import type { Measured } from './mcp-session.ts';
import type { Group, TaskReport } from './run-tasks.ts';

/** The sums of a group of tasks. */
export interface Totals extends Measured {
  tasks: number;
  finished: number;
}

/** The figures of the product before anything changed that agents see. */
interface Baseline {
  date: string;
  commit: string;
  groups: Partial<Record<Group, Totals>>;
}

export function totalsOf(reports: TaskReport[]): Totals {
  const sum = (pick: (report: TaskReport) => number) =>
    reports.reduce((total, report) => total + pick(report), 0);
  return {
    tasks: reports.length,
    finished: sum(({ finished }) => Number(finished)),
    executes: sum(({ executes }) => executes),
    resumes: sum(({ resumes }) => resumes),
    sent: sum(({ sent }) => sent),
    received: sum(({ received }) => received),
    start: sum(({ start }) => start),
    errors: sum(({ errors }) => errors),
  };
}

/** At most this part of the characters that the baseline received on the GitHub tasks. */
const githubTarget = 0.72;

export function figuresOf(group: Group, totals: Totals, agent: string): Figure[] {
  const baseline = agent === 'scripted' ? readBaseline()?.groups[group] : undefined;
  const name = agent === 'scripted' ? group : `${group}, ${agent}`;
  const isWhole = baseline?.tasks === totals.tasks;
  const row = (what: string, unit: string, pick: (totals: Totals) => number): Figure => ({
    name: `${name}: ${what}`,
    value: pick(totals),
    unit,
    ...(baseline && isWhole && { baseline: { name: 'first measurement', value: pick(baseline) } }),
  });
  const received = row('characters received', '', (of) => of.received);
  return [
    {
      ...{ name: `${name}: tasks finished`, value: totals.finished, unit: `of ${totals.tasks}` },
      ...(baseline && isWhole && { atLeast: baseline.finished }),
    },
    row('executes', '', ({ executes }) => executes),
    row('resumes', '', ({ resumes }) => resumes),
    row('errors', '', ({ errors }) => errors),
    row('characters sent', '', ({ sent }) => sent),
    { ...received, ...(group === 'github' && received.baseline && { target: githubTarget }) },
    row('of those, at the start', '', ({ start }) => start),
  ];
}

function readBaseline(): Baseline | undefined {
  const file = new URL('baseline.json', import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** One line for each task. */
export function taskLine({
  id,
  finished,
  executes,
  resumes,
  sent,
  received,
  errors,
  seconds,
  reason = '',
}: TaskReport): string {
  const numbers = [executes, resumes, errors, sent, received, seconds.toFixed(1)].map((value) =>
    String(value).padStart(8),
  );
  return [finished ? 'ok   ' : 'LOST ', id.padEnd(28), ...numbers, ` ${reason}`].join('');
}

export const taskHead = [
  '     ',
  ''.padEnd(28),
  ...['execute', 'resume', 'errors', 'sent', 'receive', 'seconds'].map((name) => name.padStart(8)),
].join('');
