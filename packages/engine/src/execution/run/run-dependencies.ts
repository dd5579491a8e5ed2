import type { Artifacts } from '../../artifact/artifacts.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { ToolDescriptions } from '../../catalog/description/tool-descriptions.ts';
import type { Clock } from '../../clock.ts';
import type { Policies } from '../../policy/policies.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import type { Store } from '../../ports/store.ts';
import type { InputValidator } from '../../validation/input-validator.ts';
import type { Workspaces } from '../../workspace/workspaces.ts';
import type { HeadStart } from '../worker/head-start.ts';

/** What a run needs from the process that holds it. */
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
  /** A run that has been idle for this long is released. */
  evictAfterMs: number;
  maxJournalBytes: number;
  onProblem(message: string, details: Record<string, unknown>): void;
  /** The code, if it runs already. */
  headStart?: HeadStart | undefined;
  /** The run is idle. Its slot may be needed. */
  onIdle?(): void;
}
