import type {
  Interaction,
  InteractionQuery,
  Principal,
  Resolution,
  ResolutionOfSeveral,
  ResolvedSeveral,
} from '@executor/protocol';
import type { Page } from '../ports/store.ts';

/** What runs ask of people, and the answers. */
export class Interactions {
  async list(_principal: Principal, _query: InteractionQuery): Promise<Page<Interaction>> {
    throw new Error('not yet');
  }

  async get(_principal: Principal, _id: string): Promise<Interaction> {
    throw new Error('not yet');
  }

  async resolve(_principal: Principal, _id: string, _resolution: Resolution): Promise<Interaction> {
    throw new Error('not yet');
  }

  async resolveSeveral(_principal: Principal, _resolution: ResolutionOfSeveral): Promise<ResolvedSeveral> {
    throw new Error('not yet');
  }
}
