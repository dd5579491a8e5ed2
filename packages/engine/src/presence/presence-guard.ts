import type { Presence, PresenceChange, Principal } from '@executor/protocol';

/** Proof that a person is there, for whoever turned it on: a PIN beside the credential. */
export class PresenceGuard {
  async get(_principal: Principal): Promise<Presence> {
    throw new Error('not yet');
  }

  async update(
    _principal: Principal,
    _change: PresenceChange,
    _proof: string | undefined,
  ): Promise<Presence> {
    throw new Error('not yet');
  }

  /** Refuses with `presenceRequired` or `tooManyAttempts` where proof is asked for and this is none. */
  async require(_principal: Principal, _proof: string | undefined): Promise<void> {
    throw new Error('not yet');
  }
}
