import { printable } from '@executor/protocol';
import type { InteractionRow } from '../ports/interaction-store.ts';
import { isObject } from '../validation/schema-document.ts';
import { interactionUrl } from './interaction-view.ts';

/** Open questions of a run that a model passes on to its user in one line. */
export interface PendingGroup {
  kind: string;
  prompt: string;
  url: string;
  count: number;
}

type Row = Pick<InteractionRow, 'id' | 'kind' | 'toolPath' | 'effect' | 'input' | 'prompt'>;

/** Few questions have a line and a page each. */
const maxSingle = 3;
const maxExamples = 3;
const maxFields = 4;
const maxValueCharacters = 60;
/** A larger input is not read for a line. */
const maxInputCharacters = 64 * 1024;

/** Of many questions, the approvals of one tool are together, and all share the page that lists them by run. */
export function pendingGroups(
  rows: readonly Row[],
  { baseUrl, executionId }: { baseUrl: string; executionId: string },
): PendingGroup[] {
  if (rows.length <= maxSingle) {
    return rows.map((row) => {
      return { kind: row.kind, prompt: promptOf([row]), url: interactionUrl(baseUrl, row.id), count: 1 };
    });
  }
  const groups = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const key = row.kind === 'approval' ? `${row.toolPath} ${row.prompt}` : row.id;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const url = `${baseUrl}/approvals#${encodeURIComponent(executionId)}`;
  return [...groups.values()].map((group) => {
    return { kind: group[0].kind, prompt: promptOf(group), url, count: group.length };
  });
}

function promptOf(group: [Row, ...Row[]]): string {
  const [{ kind, prompt, toolPath, effect, input }] = group;
  if (kind !== 'approval') return prompt;
  if (group.length === 1) return [prompt, keyInputs(input)].filter(Boolean).join(' ');
  const examples = group.slice(0, maxExamples).map((row) => keyInputs(row.input));
  const more = group.length > maxExamples ? ' | …' : '';
  return `${group.length} x ${toolPath} (${effect}): ${examples.filter(Boolean).join(' | ')}${more}`;
}

/** The first fields of an input in one line. Values are JSON and cut, so that none of them reads like a sentence of Executor. */
function keyInputs(input: string): string {
  const value: unknown = input.length > maxInputCharacters ? undefined : JSON.parse(input);
  if (!isObject(value)) return '';
  const fields = Object.entries(value);
  const shown = fields
    .slice(0, maxFields)
    .map(([key, field]) => `${cut(key)}: ${cut(JSON.stringify(field))}`);
  const more = fields.length > shown.length ? [`and ${fields.length - shown.length} more fields`] : [];
  return [...shown, ...more].join(', ');
}

function cut(text: string): string {
  const plain = printable(text.slice(0, maxValueCharacters)).replaceAll('\n', ' ');
  return text.length > maxValueCharacters ? `${plain}…` : plain;
}
