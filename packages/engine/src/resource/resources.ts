/**
 * # What is scarce, and who uses it
 *
 * Everything that an agent can cause is charged to its key, is bounded, and leaves a reserve for people. There are three kinds of
 * resources:
 *
 * 1. **Held** for a while in one process (`HeldResource`): requests, waits, streams, connections, bytes of bodies and answers, runs, and
 *    the time of Executor's own tools. A caller takes an amount and gives it back. The table is `resourceTable` of the protocol.
 * 2. **Rates** (`RateLimit`): requests per second of one key.
 * 3. **Stored** in the database for all processes (`StoredQuotas`): bytes on disk, pending questions, audit rows.
 *
 * Rules:
 * - No part of Executor counts a scarce resource by itself. It asks this module, with the `Account` that is charged.
 * - Agents cannot use up what is left for people: `agents` is smaller than `total` for each resource.
 * - A few keys cannot use up what agents may hold: a part of it is left to keys that hold little.
 * - Callers that wait are served in turns, the key that has cost the least first (`FairQueue`).
 * - A refusal says what is used and what to do: `tooManyRequests` has a time after which to retry; `quotaExceeded` needs a decision.
 */
import {
  type LimitChanges,
  limitsOf,
  type ResourceName,
  type ResourceUsage,
  resourceTable,
} from '@executor/protocol';
import { HeldResource } from './held-resource.ts';
import { RateLimit } from './rate-limit.ts';

type Held = { readonly [Name in ResourceName]: HeldResource };

const names = Object.keys(resourceTable) as ResourceName[];
const logRate = { burst: 500, perSecond: 2 };
const requestRate = { burst: 3_000, perSecond: 100 };

/** The scarce resources of this process. */
export class Resources {
  readonly held: Held;
  readonly requestRate = new RateLimit(requestRate);
  /** Lines in the log about requests of agents, and of all callers without a credential. */
  readonly logRate = new RateLimit(logRate);

  constructor(changes: LimitChanges = {}) {
    this.held = Object.fromEntries(
      names.map((name) => [name, new HeldResource(name, limitsOf(name, changes))]),
    ) as Held;
  }

  usage(): ResourceUsage[] {
    return names.map((name) => {
      const { description, unit } = resourceTable[name];
      const { limits } = this.held[name];
      return { name, description, unit, limits, ...this.held[name].usage() };
    });
  }
}
