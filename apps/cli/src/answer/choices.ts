import type { Interaction, InteractionKind } from '@executor/protocol';
import { ruleText } from '../policy/rule-text.ts';

/** The choices of a user at the terminal. */
export type Choice =
  | 'approve'
  | 'identical'
  | 'remember'
  | 'deny'
  | 'submit'
  | 'cancel'
  | 'retry'
  | 'complete'
  | 'fail'
  | 'whole'
  | 'each'
  | 'browser'
  | 'later';

export interface ChoiceRow {
  value: Choice;
  label: string;
  hint?: string;
}

/** The choices for one question. */
export function choicesFor(
  interaction: Interaction,
  { browser, cut }: { browser: boolean; cut: boolean },
): ChoiceRow[] {
  return [
    ...(cut ? [{ value: 'whole' as const, label: 'Show all of it' }] : []),
    ...answersTo[interaction.kind],
    ...(interaction.kind === 'approval' ? approvalExtras(interaction) : []),
    ...putOff(browser),
  ].sort((a, b) => order.indexOf(a.value) - order.indexOf(b.value));
}

/** The choices for several approvals. They can be approved together only after they were shown completely. */
export function choicesForSeveral(
  count: number,
  { browser, cut }: { browser: boolean; cut: boolean },
): ChoiceRow[] {
  return [
    cut
      ? { value: 'whole', label: 'Show all of it', hint: 'needed before you can approve all together' }
      : { value: 'approve', label: `Approve all ${count}`, hint: 'once' },
    { value: 'each', label: 'Answer them one by one' },
    { value: 'deny', label: `Deny all ${count}…`, hint: 'with a reason for the code' },
    ...putOff(browser),
  ];
}

const answersTo: Record<InteractionKind, ChoiceRow[]> = {
  approval: [
    { value: 'approve', label: 'Approve once' },
    { value: 'deny', label: 'Deny…', hint: 'with a reason for the code' },
  ],
  elicitation: [
    { value: 'submit', label: 'Answer…' },
    { value: 'cancel', label: 'Decline' },
  ],
  credential: [
    { value: 'submit', label: 'Enter it…', hint: 'hidden as you type' },
    { value: 'cancel', label: 'Decline' },
  ],
  oauth: [
    { value: 'submit', label: 'Done' },
    { value: 'cancel', label: 'Decline' },
  ],
  reconcile: [
    { value: 'retry', label: 'Send it again', hint: 'it did not happen' },
    { value: 'complete', label: 'It happened; enter its result…' },
    { value: 'fail', label: 'Let it fail…', hint: 'with a reason for the code' },
  ],
};

function approvalExtras({ remember }: Interaction): ChoiceRow[] {
  return [
    { value: 'identical', label: 'Approve all identical calls in this run' },
    ...(remember
      ? [{ value: 'remember' as const, label: 'Approve and remember…', hint: ruleText(remember) }]
      : []),
  ];
}

function putOff(browser: boolean): ChoiceRow[] {
  return [
    ...(browser ? [{ value: 'browser' as const, label: 'Answer in the browser' }] : []),
    { value: 'later', label: 'Later', hint: 'the run keeps waiting' },
  ];
}

/** The order of the list: answers first, postponing last. */
const order: Choice[] = [
  'whole',
  'approve',
  'identical',
  'remember',
  'submit',
  'retry',
  'complete',
  'deny',
  'cancel',
  'fail',
  'browser',
  'later',
];
