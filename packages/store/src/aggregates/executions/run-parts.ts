import type { Changes } from '../../changes/changes.ts';
import type { Database } from '../../database.ts';
import type { WakeUps } from '../../wake-ups/wake-ups.ts';

/** Dependencies of every change of a run: the database, the notices and the wake-ups. */
export interface RunParts {
  database: Database;
  changes: Changes;
  wakeUps: WakeUps;
}
