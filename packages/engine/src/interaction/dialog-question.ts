import { createHash } from 'node:crypto';
import { printable } from '@executor/protocol';
import type { InteractionRow } from '../ports/interaction-store.ts';
import { isObject } from '../validation/schema-document.ts';
import { formOf } from './check-resolution.ts';
import { type DialogForm, dialogForm } from './dialog-form.ts';

/** A question as the dialog of an MCP client asks it: in a form of its own, or by leading its user to our page. */
export interface DialogQuestion {
  interactionId: string;
  executionId: string;
  askedAt: Date;
  /** Plain text: whatever could disguise it is spelt out. */
  message: string;
  /** Without one, nothing but the page takes the answer. */
  form?: DialogForm;
  /** Our page. */
  url: string;
  /**
   * Of all that is shown but where our page is: an answer is to this, and to nothing else that might be asked under the same name, also
   * when the server has another address by then.
   */
  hash: string;
}

/**
 * The choices of an approval, in the words that a dialog shows. Some clients preselect the first: there, one Enter too many denies. A rule to
 * remember takes the page, which shows what it would cover.
 */
export const decisions = {
  deny: { action: 'deny' },
  'approve once': { action: 'approve', scope: 'once' },
  'approve all identical calls of this run': { action: 'approve', scope: 'identical' },
} as const;

/** What does not fit is not cut: nobody is to approve what they could not read. */
const maxMessageCharacters = 4_000;
const maxPromptCharacters = 1_500;

/** How much may be asked in a dialog. */
export interface DialogPermission {
  approvals: boolean;
  forms: boolean;
}

/** Undefined where a dialog is not the place for it. */
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

/** What is asked, and how the message goes on to lead to the page. */
interface Shown {
  text: string;
  more?: string;
  url: string;
  form?: DialogForm;
}

const approvalPage = '\n\nTo approve it for good, or to see more: ';

function question(
  { id, executionId, binding, createdAt: askedAt }: InteractionRow,
  { text, more, url, form }: Shown,
): DialogQuestion {
  const parts = [id, executionId, binding, text, form];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  const message = more === undefined ? text : `${text}${more}${url}`;
  return { interactionId: id, executionId, askedAt, message, url, hash, ...(form && { form }) };
}

/**
 * Texts of others are inside JSON, where they cannot begin a line of their own; and its lines are indented after an empty one, so that a
 * client that renders Markdown shows them as they are. Undefined where that would not be all that is sent: a body that is shown by its
 * hash could say anything.
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

function otherText({ prompt, toolPath }: InteractionRow): Pick<Shown, 'text' | 'more'> {
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
