import type { Artifacts } from '../artifact/artifacts.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ToolDescriptions } from '../catalog/description/tool-descriptions.ts';
import type { Clock } from '../clock.ts';
import type { Policies } from '../policy/policies.ts';
import type { Sandbox } from '../ports/sandbox.ts';
import type { Store } from '../ports/store.ts';
import type { InputValidator } from '../validation/input-validator.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import type { HeadStart } from './head-start.ts';
import type { Run } from './run.ts';

/** What a run needs of the process that it is in. */
export interface RunDependencies {
  store: Pick<Store, 'executions'>;
  sandbox: Sandbox;
  catalog: Pick<Catalog, 'find' | 'seek'>;
  descriptions: Pick<ToolDescriptions, 'nearest'>;
  policies: Pick<Policies, 'decide' | 'ruleToRemember'>;
  validator: Pick<InputValidator, 'check'>;
  artifacts: Pick<Artifacts, 'put' | 'has' | 'readWhole'>;
  workspaces: Pick<Workspaces, 'answerUntil'>;
  clock: Clock;
  workerId: string;
  /** A run that has only waited for this long is dropped from memory. */
  evictAfterMs: number;
  maxJournalBytes: number;
  onProblem(message: string, details: Record<string, unknown>): void;
  /** Where the code runs already. */
  headStart?: HeadStart | undefined;
  /** The run only waits: its place may be wanted. */
  onResting?(run: Run): void;
}
