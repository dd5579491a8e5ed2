import type { PolicyDecision } from '@executor/protocol';
import type { FoundTool } from '../../src/catalog/catalog.ts';
import { samePrintThread, ToolPrinter } from '../../src/catalog/signature/tool-printer.ts';
import type { RunDependencies } from '../../src/execution/run/run-dependencies.ts';
import { Worker } from '../../src/execution/worker/worker.ts';
import { localJsonReader } from '../../src/json/local-json-reader.ts';
import { JudgedInput } from '../../src/policy/judged-input.ts';
import type { Sandbox } from '../../src/ports/sandbox.ts';
import type { Source, Tool } from '../../src/ports/source.ts';
import type { Store } from '../../src/ports/store.ts';
import { HeldResource } from '../../src/resource/held-resource.ts';
import { Resources } from '../../src/resource/resources.ts';
import { kindOf } from './tools.ts';
import { type Owner, VirtualClock, type VirtualTime } from './virtual-time.ts';

interface Parts {
  time: VirtualTime;
  skewMs: number;
  concurrency: number;
  /** The time that reviewers have to answer, if it is limited. */
  answerWithinMs: number | undefined;
  store: Store;
  sandbox: Sandbox;
  source: Source;
  findTool(path: string): Tool | undefined;
  /** Resolves later, if the process is alive then. */
  pause(label: string): Promise<void>;
  onProblem(message: string, details: Record<string, unknown>): void;
}

/** A process that executes runs: a real worker on a model of everything else. */
export class SimulatedProcess {
  readonly owner: Owner;
  readonly worker: Worker;
  readonly clock: VirtualClock;
  readonly store: Store;
  /** Whether it is draining. */
  draining = false;

  constructor(owner: Owner, parts: Parts) {
    this.owner = owner;
    const { time, skewMs, concurrency, answerWithinMs, store, sandbox, source, findTool, pause, onProblem } =
      parts;
    this.store = store;
    this.clock = new VirtualClock(time, owner, skewMs);
    const decide = async (_: unknown, { path }: Pick<Tool, 'path'>) => {
      await pause('policies decide');
      const decision: PolicyDecision = kindOf(path).decision;
      return { decision, reason: 'so' };
    };
    const ruleToRemember = async () => {
      await pause('policies look for a rule');
      return undefined;
    };
    const find = (_: string, path: string): FoundTool | undefined => {
      const tool = findTool(path);
      if (tool === undefined) return undefined;
      const governed = { ...tool, namespace: 'simulated', sourceId: 'simulated', approval: {} };
      return { tool: governed, source, settings: {}, access: { auth: { type: 'none' }, schemes: [] } };
    };
    this.worker = new Worker({
      store,
      clock: this.clock,
      sandboxes: new Map([[sandbox.runtimeId, sandbox]]),
      run: {
        catalog: {
          find,
          seek: async (workspaceId, path) => find(workspaceId, path),
        },
        descriptions: { nearest: async () => ({ tools: [], below: 0 }) },
        policies: {
          complete: async (_caller, _tool, input) => {
            await pause('policies complete an input');
            return new JudgedInput({ input, alternatives: [] }, input);
          },
          decide,
          ruleToRemember,
        },
        validator: {
          check: (_, input) => ({ type: 'valid', input }),
          omitted: () => [],
        },
        printer: new ToolPrinter(samePrintThread),
        ownCalls: new HeldResource('ownCalls', { perKey: 1, agents: 1, total: 1 }),
        artifacts: {
          put: async () => {
            throw new Error('There are no artifacts in a simulation.');
          },
          has: async () => false,
          bytesFor: async () => undefined,
          readWhole: async () => undefined,
        },
        jsonReader: localJsonReader,
        memory: new Resources().held,
        quotas: unlimited,
        onProblem,
      },
      workspaces: {
        retentionDays: async () => 30,
        answerUntil: async () => {
          await pause('reviewers get a deadline');
          return answerWithinMs === undefined
            ? undefined
            : new Date(this.clock.now().getTime() + answerWithinMs);
        },
      },
      identity: { id: owner.name, host: 'host', pid: 1, version: '1' },
      slots: new HeldResource('runs', { perKey: concurrency, agents: concurrency, total: concurrency }),
    });
  }
}

/** A simulation stores little. */
const unlimited: RunDependencies['quotas'] = {
  limitFor: () => ({ perKey: 1e12, agents: 1e12, total: 1e12 }),
  noteOverLimit: () => {},
  requireRoom: async () => {},
  takeQuestion: async () => {},
  giveQuestionBack: async () => {},
  takeAuditRow: async () => {},
};
