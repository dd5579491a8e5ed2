import type { Ranking } from './rank-need.ts';
import { tuning } from './tuning.ts';

/** A tool that was picked as an answer. */
export interface PickedTool {
  /** Its number among all tools. */
  tool: number;
  score: number;
  /** The position of the need that it answers. */
  need: number;
}

/**
 * Picks tools one by one, so that the answer covers all needs: each tool that is picked for a need reduces the worth of
 * that need.
 */
export function cover(rankings: Ranking[], limit: number): PickedTool[] {
  const hasParts = rankings.length > 1;
  const worth: number[] = rankings.map(({ need }) => (need.part === 'whole' && hasParts ? 0 : 1));
  const candidates = new Set(rankings.flatMap(({ scores }) => [...scores.keys()]));
  const [whole] = rankings as [Ranking];
  const wholeShare = hasParts ? tuning.whole : 0;
  const picked: PickedTool[] = [];
  while (picked.length < limit && candidates.size > 0) {
    let best: PickedTool = { tool: -1, score: -1, need: 0 };
    for (const tool of candidates) {
      let [top, need] = [0, 0];
      for (const [position, { scores }] of rankings.entries()) {
        const score = (scores.get(tool) ?? 0) * (worth[position] as number);
        if (score > top) [top, need] = [score, position];
      }
      const score = top + wholeShare * (whole.scores.get(tool) ?? 0);
      if (score > best.score || (score === best.score && tool < best.tool)) best = { tool, score, need };
    }
    candidates.delete(best.tool);
    picked.push(best);
    worth[best.need] = (worth[best.need] as number) * (hasParts ? tuning.decay : 1);
  }
  return picked;
}
