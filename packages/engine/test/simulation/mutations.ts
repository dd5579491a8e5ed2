import type { Lease } from '../../src/ports/execution-store.ts';
import type { InteractionRow } from '../../src/ports/interaction-store.ts';
import type { SandboxHooks, SandboxRequest } from '../../src/ports/sandbox.ts';
import { ModelExecutions } from './model-executions.ts';
import { ModelInteractions } from './model-interactions.ts';
import { Machine, ModelSandbox, type Surroundings } from './model-sandbox.ts';
import type { ModelTables, RunRow } from './model-tables.ts';
import type { Parts } from './world.ts';

type Executions = new (tables: ModelTables) => ModelExecutions;
type Interactions = new (tables: ModelTables) => ModelInteractions;

/** Planted faults, each with the violation that the simulation must report. */
export const mutations: Record<string, { parts: Parts; expected: RegExp }> = {
  'a store that answers before it has written': {
    parts: withExecutions(
      class extends ModelExecutions {
        readonly #behind = new Map<string, () => void>();

        override append(...write: Parameters<ModelExecutions['append']>): { seq: number } {
          const [{ id }, , { events }] = write;
          this.#behind.get(id)?.();
          this.#behind.delete(id);
          if (!this.tables.held(write[0])) return super.append(...write);
          this.#behind.set(id, () => this.tables.held(write[0]) && super.append(...write));
          return { seq: (this.tables.runs.get(id)?.row.lastSeq ?? 0) + events.length };
        }

        override finish(...ending: Parameters<ModelExecutions['finish']>): void {
          this.#behind.get(ending[0].id)?.();
          super.finish(...ending);
        }
      },
    ),
    expected: /is not in the journal|came before what the code had seen|has the run, for/,
  },
  'a store that takes what a former holder writes': {
    parts: withExecutions(
      class extends ModelExecutions {
        protected override writable(lease: Lease): RunRow | undefined {
          const run = this.tables.runs.get(lease.id);
          return run?.row.finishedAt === null ? run : undefined;
        }
      },
    ),
    expected: /was written to with the epoch/,
  },
  'a store that writes again what it is sent again': {
    parts: withExecutions(
      class extends ModelExecutions {
        protected override writable(lease: Lease): RunRow | undefined {
          return this.tables.held(lease);
        }
      },
    ),
    expected: /was requested after|was completed twice|came out of turn|log line/,
  },
  'a journal in which calls that left look as if they had not': {
    parts: withExecutions(
      class extends ModelExecutions {
        override events(...parameters: Parameters<ModelExecutions['events']>) {
          return super.events(...parameters).filter(({ type }) => type !== 'call.dispatched');
        }
      },
    ),
    expected:
      /came out of turn|without a person's word|was received \d+ times|attempt \d+ was received twice/,
  },
  'a run that is released with unread answers': {
    parts: withExecutions(
      class extends ModelExecutions {
        override release(...[lease, state]: Parameters<ModelExecutions['release']>) {
          const knownSeq = this.tables.runs.get(lease.id)?.row.lastSeq ?? 0;
          return super.release(lease, { ...state, knownSeq });
        }
      },
    ),
    expected: /never end/,
  },
  'a lease that is shortened by renewing it': {
    parts: withExecutions(
      class extends ModelExecutions {
        override renew(...[leases, ttlMs]: Parameters<ModelExecutions['renew']>) {
          for (const lease of leases) {
            const run = this.tables.held(lease);
            if (run) run.leaseUntil = this.tables.now;
          }
          return super.renew(leases, ttlMs);
        }
      },
    ),
    expected: /goes on; \S+ has the run, for/,
  },
  'a store that blames waiting runs for the end of a process': {
    parts: withExecutions(
      class extends ModelExecutions {
        protected override isBlamed({ row, leaseOwner }: RunRow): boolean {
          return leaseOwner !== null && row.finishedAt === null;
        }
      },
    ),
    expected: /is blamed for the end of \S+, and is waiting/,
  },
  'a question that is answered as often as somebody answers': {
    parts: withInteractions(
      class extends ModelInteractions {
        protected override isOpen({ status }: InteractionRow): boolean {
          return status === 'pending' || status === 'resolved';
        }
      },
    ),
    expected: /was resolved twice|was resolved though it was resolved/,
  },
  'an approval that is bound to nothing': {
    parts: withInteractions(
      class extends ModelInteractions {
        override resolve(...[workspaceId, id, answer, audit]: Parameters<ModelInteractions['resolve']>) {
          const { resolution } = answer;
          // One call is approved, and all calls of the run count as approved.
          const asked = this.find(workspaceId, id);
          if (resolution.action === 'approve' && asked) {
            for (const other of this.pendingOf(asked.executionId)) {
              if (other.kind === 'approval' && other.id !== id)
                super.resolve(workspaceId, other.id, answer, audit);
            }
            this.tables.interactions.set(id, { ...asked, binding: 'another' });
          }
          return super.resolve(workspaceId, id, answer, audit);
        }
      },
    ),
    expected: /without an approval of what it sends/,
  },
  'a sandbox that delivers in another order than requested': {
    parts: {
      sandbox: (place) =>
        new (class extends ModelSandbox {
          protected override machine(...parameters: [SandboxRequest, SandboxHooks, Surroundings]): Machine {
            return new (class extends Machine {
              protected override slice(): Promise<void> {
                this.inbox.reverse();
                return super.slice();
              }
            })(...parameters);
          }
        })(place),
    },
    expected: /came before what the code had seen|does not replay|nondeterminism/,
  },
};

function withExecutions(Mutated: Executions): Parts {
  return {
    aggregates: (tables) => ({
      executions: new Mutated(tables),
      interactions: new ModelInteractions(tables),
    }),
  };
}

function withInteractions(Mutated: Interactions): Parts {
  return {
    aggregates: (tables) => ({ executions: new ModelExecutions(tables), interactions: new Mutated(tables) }),
  };
}
