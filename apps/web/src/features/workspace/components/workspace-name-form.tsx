import { type FormEvent, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Message } from '../../../ui/message.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useUpdateSettings } from '../api/update-settings.ts';

interface WorkspaceNameFormProps {
  name: string;
  onDone: () => void;
}

export function WorkspaceNameForm({ name, onDone }: WorkspaceNameFormProps) {
  const [draft, setDraft] = useState(name);
  const updateSettings = useUpdateSettings({ onSuccess: onDone });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (draft.trim() === name) return onDone();
    updateSettings.mutate({ workspaceName: draft });
  }

  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
      className="flex flex-col gap-2"
    >
      <div className="flex flex-wrap gap-2">
        <input
          // biome-ignore lint/a11y/noAutofocus: it replaces the button that the user has just pressed
          autoFocus
          required
          maxLength={100}
          aria-label="Workspace name"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onFocus={(event) => event.target.select()}
          className="min-h-9 min-w-0 flex-1 basis-full sm:basis-48 rounded-lg border border-control bg-surface px-3 text-base sm:text-sm"
        />
        <Button type="submit" look="primary" busy={updateSettings.isPending}>
          Save
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
      {updateSettings.error && (
        <Notice look="danger">
          <Message text={updateSettings.error.message} />
        </Notice>
      )}
    </form>
  );
}
