import type {
  ExplainPolicy,
  NewPolicy,
  PageQuery,
  Policy,
  PolicyChange,
  PolicyDecision,
  PolicyExplanation,
  Principal,
} from '@executor/protocol';
import type { Tool } from '../ports/source.ts';
import type { Page } from '../ports/store.ts';

/** Whose call is decided on. */
export interface Caller {
  workspaceId: string;
  actorId: string;
  clientId?: string | undefined;
}

export interface Decision {
  decision: PolicyDecision;
  reason: string;
  policyId?: string;
}

/** The rules of a workspace, and what they make of a call. */
export class Policies {
  async list(_principal: Principal, _page: PageQuery): Promise<Page<Policy>> {
    throw new Error('not yet');
  }

  async create(_principal: Principal, _policy: NewPolicy): Promise<Policy> {
    throw new Error('not yet');
  }

  async update(_principal: Principal, _id: string, _change: PolicyChange): Promise<Policy> {
    throw new Error('not yet');
  }

  async remove(_principal: Principal, _id: string): Promise<void> {
    throw new Error('not yet');
  }

  async explain(_principal: Principal, _question: ExplainPolicy): Promise<PolicyExplanation> {
    throw new Error('not yet');
  }

  /** Decides on a call whose input is checked and complete. Rules are kept in memory; with `fresh` they are read anew first. */
  async decide(
    _caller: Caller,
    _tool: Pick<Tool, 'path' | 'effect'>,
    _input: unknown,
    _options?: { fresh: boolean },
  ): Promise<Decision> {
    throw new Error('not yet');
  }
}
