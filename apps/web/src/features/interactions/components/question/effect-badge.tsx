import type { Interaction } from '@executor/protocol';
import { Badge } from '../../../../ui/badge.tsx';
import { effects } from '../../words.ts';

export function EffectBadge({ tool }: Pick<Interaction, 'tool'>) {
  if (tool === undefined) return null;
  const { name, look } = effects[tool.effect];
  return <Badge look={look}>{name}</Badge>;
}
