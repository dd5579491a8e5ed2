import type {
  Call,
  Execution,
  ExecutionEvent,
  ExecutionQuery,
  ExecutionSummary,
  NewExecution,
  PageQuery,
  Principal,
  ReplayReport,
} from '@executor/protocol';
import type { Page } from '../ports/store.ts';

/** What people, programs and agents do with runs. A person sees the runs of the workspace, an agent its own. */
export class Executions {
  async create(_principal: Principal, _request: NewExecution, _signal?: AbortSignal): Promise<Execution> {
    throw new Error('not yet');
  }

  async list(_principal: Principal, _query: ExecutionQuery): Promise<Page<ExecutionSummary>> {
    throw new Error('not yet');
  }

  async get(_principal: Principal, _id: string): Promise<Execution> {
    throw new Error('not yet');
  }

  async calls(_principal: Principal, _id: string, _page: PageQuery): Promise<Page<Call>> {
    throw new Error('not yet');
  }

  /** Until the run has finished and all was told, or the signal says to stop; refuses before the first event where there is no such run. */
  async events(
    _principal: Principal,
    _id: string,
    _options: { after?: string | undefined; follow: boolean },
    _signal: AbortSignal,
  ): Promise<AsyncIterable<ExecutionEvent>> {
    throw new Error('not yet');
  }

  /** Runs and interactions of the whole workspace. Without `after`, from now on. */
  async workspaceEvents(
    _principal: Principal,
    _options: { after?: string | undefined; follow: boolean },
    _signal: AbortSignal,
  ): Promise<AsyncIterable<ExecutionEvent>> {
    throw new Error('not yet');
  }

  async wait(
    _principal: Principal,
    _id: string,
    _options: { waitMs: number },
    _signal?: AbortSignal,
  ): Promise<Execution> {
    throw new Error('not yet');
  }

  async cancel(_principal: Principal, _id: string): Promise<Execution> {
    throw new Error('not yet');
  }

  async replay(_principal: Principal, _id: string): Promise<ReplayReport> {
    throw new Error('not yet');
  }
}
