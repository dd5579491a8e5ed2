import type { Changes } from '../changes/changes.ts';
import type { Database } from '../database.ts';
import type { WakeUps } from '../wake-ups/wake-ups.ts';

/** What every change of a run needs: where to write it, whom to tell of it, and how to wake the run. */
export interface RunParts {
  database: Database;
  changes: Changes;
  wakeUps: WakeUps;
}
