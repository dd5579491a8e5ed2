import type { Bytes, Principal } from '@executor/protocol';

/** Bytes that belong to runs: a person reads those of the workspace, an agent those of its own runs. */
export class Artifacts {
  async get(_principal: Principal, _id: string): Promise<Bytes> {
    throw new Error('not yet');
  }
}
