import type { NewPolicy } from '@executor/protocol';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Message } from '../../../../ui/message.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { Revealed } from '../../../../ui/revealed.tsx';
import { SelectField } from '../../../../ui/select-field.tsx';
import { TextField } from '../../../../ui/text-field.tsx';
import { useMe } from '../../../workspace/api/get-me.ts';
import { draftOf, openFields, type RuleDraft, readRule } from '../../rule-draft.ts';
import type { AnswersProps } from './answers-props.ts';
import { ConditionsField } from './conditions-field.tsx';

interface RememberDialogProps {
  proposed: NewPolicy;
  /** The input of the call. */
  input: unknown;
  resolve: AnswersProps['resolve'];
  onClose: () => void;
}

/** Shows the rule before it is saved. The server rejects a rule that does not cover this call. */
export function RememberDialog({ proposed, input, resolve, onClose }: RememberDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(proposed));
  const [problem, setProblem] = useState<string>();
  const change = (changes: Partial<RuleDraft>) => setDraft({ ...draft, ...changes });

  function submit(event: FormEvent) {
    event.preventDefault();
    const read = readRule(draft, proposed);
    setProblem(read.type === 'problem' ? read.problem : undefined);
    if (read.type === 'rule') resolve.mutate({ action: 'approve', remember: read.rule });
  }

  const message = problem ?? resolve.error?.message;
  return (
    <Dialog wide title="Approve and save a rule" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-sm text-muted">
          Executor will <strong className="text-ink">allow</strong> calls that match this rule without asking.
          The proposed rule matches only calls like this one. Widen it with care.
        </p>
        <TextField
          label="Tools"
          hint="* matches one segment of the path. ** at the end matches all remaining segments."
          required
          maxLength={300}
          spellCheck={false}
          autoComplete="off"
          value={draft.pattern}
          onChange={(event) => change({ pattern: event.target.value })}
        />
        <ConditionsField conditions={draft.conditions} onChange={(conditions) => change({ conditions })} />
        {draft.conditions.length > 0 && <OpenFields names={openFields(input, draft)} />}
        {proposed.scope.type !== 'workspace' && (
          <SelectField
            label="For"
            value={draft.scope}
            onChange={(event) => change({ scope: event.target.value as RuleDraft['scope'] })}
          >
            <option value="proposed">
              <ScopeName scope={proposed.scope} />
            </option>
            <option value="workspace">Everybody in this workspace</option>
          </SelectField>
        )}
        <TextField
          label="Note"
          hint="Why the rule exists."
          maxLength={500}
          value={draft.note}
          onChange={(event) => change({ note: event.target.value })}
        />
        {message && (
          <Notice look="danger">
            <Message text={message} />
          </Notice>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={resolve.isPending}>
            Save the rule and approve
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const maxNames = 12;

/** A rule has no conditions on long values, so it may cover more calls than it seems to. */
function OpenFields({ names }: { names: string[] }) {
  if (names.length === 0) return null;
  const more = names.length - maxNames;
  return (
    <Notice look="warn">
      The rule does not check{' '}
      <strong>
        <Revealed text={names.slice(0, maxNames).join(', ')} />
        {more > 0 && ` and ${more} more fields`}
      </strong>
      . Calls with any value in these fields are allowed without asking.
    </Notice>
  );
}

function ScopeName({ scope }: { scope: NewPolicy['scope'] }) {
  const { data: me } = useMe();
  if (scope.type === 'client') return `Runs of ${scope.clientId}`;
  if (scope.type === 'workspace') return 'Everybody in this workspace';
  return `Runs for ${scope.actorId === me?.actor.id ? me.actor.name : `the account ${scope.actorId}`}`;
}
