/**
 * Weights that were found by experiments on sets of requests. `npm run bench discovery` shows the effect of a change.
 */
export const tuning = {
  /** The share of a tool's name or summary that the request asks for. */
  title: 2,
  nameShare: 1.1,
  /** The share of the request that the tool matches. */
  coverage: 0.4,
  /** The tool does the wanted kind of action (read, create, update, delete), or another kind. */
  agree: 1.12,
  conflict: 0.63,
  /** The tool changes something, but the request has no verb. */
  unasked: 0.97,
  /** The tool only reads, but the request has a verb. */
  idle: 0.9,
  deprecated: 0.75,
  /** The tool and the request are both about the caller. */
  mine: 1.2,
  /** The tool searches, and the request contains a name. */
  named: 1.5,
  /** Each tool that is picked for a need reduces the worth of that need by this factor. */
  decay: 0.42,
  wholeDecay: 0.95,
  /** The share of the score for the whole request that is added to the scores for its clauses. */
  whole: 0.4,
  /** The weight of the ranking by words alone. */
  plain: 0.5,
  plainDecay: 0.6,
  /** Exponent for the relative mass of a clause. */
  clausePower: 0.4,
  segment: 0.65,
  /** The share of a tool's score that its providers get. */
  provider: 0.5,
  /** Factor for providers that only parameter names suggest, without an HTTP path. */
  loose: 0.6,
  /** A word that names the source. */
  source: 1.1,
};
