import { Card } from '../../../../ui/card.tsx';
import { useRunInteractions } from '../../api/list-run-interactions.ts';
import { SettledRow } from './settled-row.tsx';

/** The questions of a run. */
export function RunInteractions({ executionId }: { executionId: string }) {
  const { data } = useRunInteractions(executionId);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Card title="Questions">
      <ul aria-label="Questions" className="divide-y divide-line">
        {data.items.map((interaction) => (
          <SettledRow key={interaction.id} interaction={interaction} />
        ))}
      </ul>
    </Card>
  );
}
