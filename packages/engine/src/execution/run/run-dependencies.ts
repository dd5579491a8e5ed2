import type { Artifacts } from '../../artifact/artifacts.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { ToolDescriptions } from '../../catalog/description/tool-descriptions.ts';
import type { ToolPrinter } from '../../catalog/signature/tool-printer.ts';
import type { Clock } from '../../clock.ts';
import type { Policies } from '../../policy/policies.ts';
import type { JsonReader } from '../../ports/json-reader.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import type { Store } from '../../ports/store.ts';
import type { AnswerMemory } from '../../resource/answer-room.ts';
import type { HeldResource } from '../../resource/held-resource.ts';
import type { StoredQuotas } from '../../resource/stored-quotas.ts';
import type { InputValidator } from '../../validation/input-validator.ts';
import type { Workspaces } from '../../workspace/workspaces.ts';
import type { HeadStart } from '../worker/head-start.ts';

/** What a run needs from the process that holds it. */
export interface RunDependencies {
  store: Pick<Store, 'executions' | 'kind'>;
  sandbox: Sandbox;
  catalog: Pick<Catalog, 'find' | 'seek'>;
  descriptions: Pick<ToolDescriptions, 'nearest'>;
  policies: Pick<Policies, 'complete' | 'decide' | 'ruleToRemember'>;
  validator: Pick<InputValidator, 'check' | 'omitted'>;
  printer: ToolPrinter;
  /** Keys take turns in using Executor's own tools. */
  ownCalls: HeldResource;
  artifacts: Pick<Artifacts, 'put' | 'has' | 'readWhole' | 'bytesFor'>;
  jsonReader: Pick<JsonReader, 'cut'>;
  quotas: Pick<
    StoredQuotas,
    'limitFor' | 'noteOverLimit' | 'requireRoom' | 'takeQuestion' | 'giveQuestionBack' | 'takeAuditRow'
  >;
  workspaces: Pick<Workspaces, 'answerUntil'>;
  memory: AnswerMemory;
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
  /** The run continues. It may not have been idle. */
  onBusy?(): void;
}
