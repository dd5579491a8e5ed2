/** How much each sign counts, found by trial on sets of requests; the bench says what a change makes of them. */
export const tuning = {
  /** How much of a tool's name or summary was asked for. */
  title: 2,
  nameShare: 1.1,
  /** How much of the request a tool has. */
  coverage: 0.4,
  /** It does what is wanted: reads, creates, changes, removes; or it does something else. */
  agree: 1.12,
  conflict: 0.63,
  /** Nobody asked for a change; somebody asked for one. */
  unasked: 0.97,
  idle: 0.9,
  deprecated: 0.75,
  /** It is about whoever asks, and that was asked for. */
  mine: 1.2,
  /** It searches, and something was called by its name. */
  named: 1.5,
  /** Each tool that is found for a need leaves less for the next one. */
  decay: 0.42,
  wholeDecay: 0.95,
  /** What the whole request makes of a tool, beside its parts. */
  whole: 0.4,
  /** What its words alone make of a tool, before anything else is known of them. */
  plain: 0.5,
  plainDecay: 0.6,
  clausePower: 0.4,
  segment: 0.65,
  /** A tool that knows what a better one needs. */
  provider: 0.5,
  /** Where nothing but the names of parameters says so. */
  loose: 0.6,
  /** A word that names the source. */
  source: 1.1,
};
