import { createHash } from 'node:crypto';
import { printable } from '@executor/protocol';
import type { InteractionRow } from '../ports/interaction-store.ts';
import { isObject } from '../validation/schema-document.ts';
import { formOf } from './check-resolution.ts';
import { type DialogForm, dialogForm } from './dialog-form.ts';

/** A question for the dialog of an MCP client, as a form or as a link to Executor's page. */
export interface DialogQuestion {
  interactionId: string;
  executionId: string;
  askedAt: Date;
  /** Plain text. Characters that could disguise it are escaped. */
  message: string;
  /** If absent, only the page accepts the answer. */
  form?: DialogForm;
  /** The URL of Executor's page. */
  url: string;
  /**
   * A hash of everything that is shown, except the URL of the page. An answer is valid only for the same hash, even if the server's URL
   * has changed meanwhile.
   */
  hash: string;
}

/**
 * The choices of an approval, in the words that a dialog shows. Some clients preselect the first, so that an accidental Enter denies. A rule
 * can be remembered only on the page, which shows what it covers.
 */
export const decisions = {
  deny: { action: 'deny' },
  'approve once': { action: 'approve', scope: 'once' },
  'approve all identical calls of this run': { action: 'approve', scope: 'identical' },
} as const;

/** A longer message is not cut but not asked in a dialog, because nobody should approve what they cannot read. */
const maxMessageCharacters = 4_000;
const maxPromptCharacters = 1_500;

/** What may be asked in a dialog. */
export interface DialogPermission {
  approvals: boolean;
  forms: boolean;
}

/** The question for a dialog; undefined if a dialog may not ask it. */
export function dialogQuestion(
  row: InteractionRow,
  { url, permission }: { url: string; permission: DialogPermission },
): DialogQuestion | undefined {
  if (row.kind === 'approval') {
    const text = approvalText(row);
    const isShown = permission.approvals && text !== undefined && text.length <= maxMessageCharacters;
    return isShown ? question(row, { text, more: approvalPage, url, form: approvalForm }) : undefined;
  }
  const form = permission.forms && row.kind === 'elicitation' ? formFor(row) : undefined;
  return question(row, { ...otherText(row), url, ...(form && { form }) });
}

const approvalForm: DialogForm = {
  type: 'object',
  properties: {
    decision: { type: 'string', title: 'Your decision', enum: Object.keys(decisions) },
    reason: {
      type: 'string',
      title: 'Reason',
      description: 'Optional, with deny. The code receives it',
      maxLength: 2_000,
    },
  },
  required: ['decision'],
};

/** The parts of a question. `more` precedes the URL of the page. */
interface QuestionParts {
  text: string;
  more?: string;
  url: string;
  form?: DialogForm;
}

const approvalPage = '\n\nTo approve it for good, or to see more: ';

function question(
  { id, executionId, binding, createdAt: askedAt }: InteractionRow,
  { text, more, url, form }: QuestionParts,
): DialogQuestion {
  const parts = [id, executionId, binding, text, form];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  const message = more === undefined ? text : `${text}${more}${url}`;
  return { interactionId: id, executionId, askedAt, message, url, hash, ...(form && { form }) };
}

/**
 * Untrusted texts are inside JSON, so that they cannot start a line. The JSON is indented after an empty line, so that clients that render
 * Markdown show it unchanged. Undefined if the preview is shortened: a body that is shown as a hash could contain anything.
 */
function approvalText({ prompt, toolPath, effect, request, input }: InteractionRow): string | undefined {
  const sent = JSON.parse(request ?? input);
  if (input.length > maxMessageCharacters || (isObject(sent) && sent.shortened === true)) return undefined;
  const lines = printable(JSON.stringify(sent, null, 2)).split('\n');
  return [
    oneLine(prompt),
    `Tool: ${oneLine(toolPath)} (${effect})`,
    'This will be sent:',
    '',
    ...lines.map((line) => `    ${line}`),
  ].join('\n');
}

function otherText({ prompt, toolPath }: InteractionRow): Pick<QuestionParts, 'text' | 'more'> {
  const asked = `${oneLine(toolPath)} asks: ${oneLine(prompt)}`;
  const isCut = asked.length > maxPromptCharacters;
  return isCut ? { text: `${asked.slice(0, maxPromptCharacters)}…`, more: ' All of it: ' } : { text: asked };
}

function formFor({ request, prompt }: InteractionRow): DialogForm | undefined {
  const schema = request === null ? undefined : formOf(JSON.parse(request));
  return schema && dialogForm(schema, prompt);
}

function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim());
}
