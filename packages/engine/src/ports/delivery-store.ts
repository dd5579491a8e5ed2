/**
 * What callers of `execute` and `resume` have received about their runs, by run and owner.
 *
 * - An answer is expected while a request waits for it, until it is delivered. It is lost if it is not delivered in time, or if the
 *   process of the request has died.
 * - Times are those of the database's clock, so several servers agree.
 */
export interface DeliveryStore {
  /** Writes the state of a run's answer. `shown` replaces the questions that the owner was shown; if absent, they are kept. */
  save(delivery: Delivery): Promise<void>;
  find(executionId: string, ownerId: string): Promise<{ isDelivered: boolean; shown: string[] } | undefined>;
  /**
   * Takes the latest run of the same code whose answer is lost, and expects its answer. A run is taken once; a repeated request gets the
   * same run. Returns undefined if there is none, or if the request has a run of its own. Of two concurrent requests, one gets the run.
   */
  join(request: JoinRequest): Promise<string | undefined>;
}

export interface Delivery {
  executionId: string;
  ownerId: string;
  codeHash: string;
  answer: { type: 'expected'; withinMs: number } | { type: 'delivered' } | { type: 'lost' };
  shown?: string[];
}

/** A request that waits for the answer of the run that it creates. */
export interface AwaitedAnswer {
  codeHash: string;
  withinMs: number;
}

export interface JoinRequest {
  workspaceId: string;
  ownerId: string;
  codeHash: string;
  /** Identifies the request if it is repeated. It is the idempotency key of the run that the request would start. */
  requestKey: string;
  /** The first wait for the run began at most this long ago. */
  maxAgeMs: number;
  /** How long the request waits for the answer. */
  withinMs: number;
}
