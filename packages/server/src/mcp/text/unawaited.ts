import type { Execution, UnawaitedCall } from '@executor/protocol';

const maxFailures = 10;
const maxOthers = 10;

/** What a model reads about calls that its code did not await: failures first, like calls of one line together. */
export function unawaitedText({ unawaited = [] }: Pick<Execution, 'unawaited'>): string[] {
  const calls = unawaited.filter(({ outcome }) => outcome !== 'pending');
  const timers = unawaited.filter(({ outcome }) => outcome === 'pending');
  const failed = grouped(calls.filter(isFailed));
  const others = grouped(calls.filter((call) => !isFailed(call)));
  const sentences = [
    ...(calls.length > 0 ? [headOf(calls)] : []),
    ...shown(failed, maxFailures, 'failures'),
    ...shown(others, maxOthers, 'lines'),
    ...(timers.length > 0 ? [timerSentence(timers)] : []),
  ];
  return sentences.length > 0 ? [sentences.join('\n')] : [];
}

function isFailed({ outcome }: UnawaitedCall): boolean {
  return outcome === 'failed' || outcome === 'denied';
}

function headOf(calls: UnawaitedCall[]): string {
  const { length: failures } = calls.filter(isFailed);
  const count = `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`;
  const how = failures > 0 ? `${failures} of ${count} failed` : `${count} succeeded`;
  return `The code returned without awaiting all calls: ${how} after that. Await calls, for lists with \`await Promise.all(list.map(async …))\`. Do not repeat those that succeeded.`;
}

interface Group {
  text: string;
  count: number;
}

function grouped(calls: UnawaitedCall[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { path, line, outcome, message } of calls) {
    const where = line === undefined ? '' : ` (line ${line})`;
    const text = `${path}${where}: ${outcome}${message === undefined ? '' : `: ${message.split('\n')[0]}`}`;
    const group = groups.get(text) ?? { text, count: 0 };
    group.count += 1;
    groups.set(text, group);
  }
  return [...groups.values()];
}

function shown(groups: Group[], max: number, noun: string): string[] {
  const lines = groups.slice(0, max).map(({ text, count }) => `- ${count > 1 ? `${count} x ` : ''}${text}`);
  const left = groups.length - lines.length;
  return left > 0 ? [...lines, `- and ${left} more ${noun}`] : lines;
}

function timerSentence(timers: UnawaitedCall[]): string {
  const [{ path, line } = { path: 'setTimeout' }] = timers;
  const where = line === undefined ? '' : ` (line ${line})`;
  const more = timers.length > 1 ? ` and ${timers.length - 1} more` : '';
  return `When the run ended, ${path}${where}${more} had not fired. Its callback did not run. Use \`await sleep(ms)\` to wait.`;
}
