import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { WorkspaceNameForm } from './workspace-name-form.tsx';

export function WorkspaceName({ name }: { name: string }) {
  const [editing, setEditing] = useState(false);
  if (editing) return <WorkspaceNameForm name={name} onDone={() => setEditing(false)} />;
  return (
    <div className="flex items-center justify-between gap-3">
      <span className="min-w-0 text-lg font-medium wrap-anywhere">{name}</span>
      <Button aria-label="Rename the workspace" onClick={() => setEditing(true)}>
        Rename
      </Button>
    </div>
  );
}
