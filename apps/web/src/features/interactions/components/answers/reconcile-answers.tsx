import { type FormEvent, useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Message } from '../../../../ui/message.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { TextArea } from '../../../../ui/text-area.tsx';
import { readJson } from '../../form-fields.ts';
import { AnswerBar } from './answer-bar.tsx';
import type { AnswersProps } from './answers-props.ts';

/** The call was sent, and its result is unknown. */
export function ReconcileAnswers({ resolve }: AnswersProps) {
  const [dialog, setDialog] = useState<'complete' | 'fail'>();
  return (
    <>
      <p className="text-sm text-muted">
        Check the other system, then choose what the run does. If the call happened, sending it again repeats
        it.
      </p>
      <AnswerBar>
        <Button look="primary" busy={resolve.isPending} onClick={() => setDialog('complete')}>
          It happened…
        </Button>
        <Button busy={resolve.isPending} onClick={() => resolve.mutate({ action: 'retry' })}>
          It did not happen: send it again
        </Button>
        <Button className="sm:ml-auto" busy={resolve.isPending} onClick={() => setDialog('fail')}>
          Let it fail…
        </Button>
      </AnswerBar>
      {dialog === 'complete' && <CompleteDialog resolve={resolve} onClose={() => setDialog(undefined)} />}
      {dialog === 'fail' && <FailDialog resolve={resolve} onClose={() => setDialog(undefined)} />}
    </>
  );
}

interface AnswerDialogProps {
  resolve: AnswersProps['resolve'];
  onClose: () => void;
}

function CompleteDialog({ resolve, onClose }: AnswerDialogProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();

  function submit(event: FormEvent) {
    event.preventDefault();
    const read = readJson(text.trim() === '' ? 'null' : text);
    setProblem('problem' in read ? read.problem : undefined);
    if ('value' in read) resolve.mutate({ action: 'complete', data: read.value as never });
  }

  return (
    <AnswerDialog
      title="It happened"
      action="Continue with this result"
      onSubmit={submit}
      {...{ resolve, onClose }}
    >
      <TextArea
        mono
        label="Result as JSON"
        hint="The code receives this as the result of the call. Empty means null."
        rows={6}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {problem && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
    </AnswerDialog>
  );
}

function FailDialog({ resolve, onClose }: AnswerDialogProps) {
  const [reason, setReason] = useState('');

  function submit(event: FormEvent) {
    event.preventDefault();
    resolve.mutate({ action: 'fail', ...(reason.trim() !== '' && { reason }) });
  }

  return (
    <AnswerDialog title="Let the call fail?" action="Let it fail" onSubmit={submit} {...{ resolve, onClose }}>
      <TextArea
        label="Why?"
        hint="The code receives this text."
        maxLength={2_000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </AnswerDialog>
  );
}

interface FrameProps extends AnswerDialogProps {
  title: string;
  action: string;
  onSubmit: (event: FormEvent) => void;
  children: React.ReactNode;
}

function AnswerDialog({ title, action, onSubmit, resolve, onClose, children }: FrameProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        {children}
        {resolve.error && (
          <Notice look="danger">
            <Message text={resolve.error.message} />
          </Notice>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={resolve.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
