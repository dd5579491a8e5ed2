import { createHash } from 'node:crypto';
import { printable } from '@executor/protocol';
import type { InteractionRow } from '../ports/interaction-store.ts';
import { formOf } from './check-resolution.ts';
import { type DialogForm, dialogForm } from './dialog-form.ts';

/** A question as the dialog of an MCP client asks it: in a form of its own, or by leading its user to our page. */
export interface DialogQuestion {
  interactionId: string;
  executionId: string;
  /** Plain text: whatever could disguise it is spelt out. */
  message: string;
  /** Without one, nothing but the page takes the answer. */
  form?: DialogForm;
  /** Our page. */
  url: string;
  /** Of all that is shown: an answer is to this, and to nothing else that might be asked under the same name. */
  hash: string;
}

/** The choices of an approval, in the words that a dialog shows. A rule to remember takes the page, which shows what it would cover. */
export const decisions = {
  'approve once': { action: 'approve', scope: 'once' },
  'approve all identical calls of this run': { action: 'approve', scope: 'identical' },
  deny: { action: 'deny' },
} as const;

/** What does not fit is not cut: nobody is to approve what they could not read. */
const mostMessageCharacters = 4_000;
const mostPromptCharacters = 1_500;

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
    const message = approvalMessage(row, url);
    const isShown = permission.approvals && message.length <= mostMessageCharacters;
    return isShown ? question(row, { message, url, form: approvalForm }) : undefined;
  }
  const form = permission.forms && row.kind === 'elicitation' ? formFor(row) : undefined;
  return question(row, { message: otherMessage(row, url), url, ...(form && { form }) });
}

const approvalForm: DialogForm = {
  type: 'object',
  properties: {
    decision: { type: 'string', title: 'Your decision', enum: Object.keys(decisions) },
    reason: {
      type: 'string',
      title: 'Reason',
      description: 'With deny, if you like; the code is told',
      maxLength: 2_000,
    },
  },
  required: ['decision'],
};

function question(
  { id, executionId, binding }: InteractionRow,
  shown: Pick<DialogQuestion, 'message' | 'form' | 'url'>,
): DialogQuestion {
  const parts = [id, executionId, binding, shown.message, shown.form];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return { interactionId: id, executionId, hash, ...shown };
}

/** Texts of others are inside JSON, where they cannot begin a line of their own. */
function approvalMessage({ prompt, toolPath, effect, request, input }: InteractionRow, url: string): string {
  const sent = JSON.stringify(JSON.parse(request ?? input), null, 2);
  return [
    oneLine(prompt),
    `Tool: ${oneLine(toolPath)} (${effect})`,
    'This will be sent:',
    printable(sent),
    `To approve it for good, or to see more: ${url}`,
  ].join('\n');
}

function otherMessage({ prompt, toolPath }: InteractionRow, url: string): string {
  const asked = oneLine(prompt);
  const isCut = asked.length > mostPromptCharacters;
  const shown = isCut ? `${asked.slice(0, mostPromptCharacters)}… (all of it: ${url})` : asked;
  return `${oneLine(toolPath)} asks: ${shown}`;
}

function formFor({ request }: InteractionRow): DialogForm | undefined {
  const schema = request === null ? undefined : formOf(JSON.parse(request));
  return schema && dialogForm(schema);
}

function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim());
}
