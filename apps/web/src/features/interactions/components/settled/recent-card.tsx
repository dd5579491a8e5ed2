import { Card } from '../../../../ui/card.tsx';
import { useRecentInteractions } from '../../api/list-recent-interactions.ts';
import { SettledRow } from './settled-row.tsx';

export function RecentCard() {
  const { data } = useRecentInteractions();
  if (data === undefined || data.length === 0) return null;
  return (
    <Card title="Recently answered">
      <ul aria-label="Recently answered" className="divide-y divide-line">
        {data.map((interaction) => (
          <SettledRow key={interaction.id} interaction={interaction} />
        ))}
      </ul>
    </Card>
  );
}
