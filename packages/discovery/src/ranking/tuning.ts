/**
 * Weights that were found by experiments on the half `tune` of the unseen services. `npm run bench discovery` shows the
 * effect of a change.
 */
export const tuning = {
  /** The share of a tool's name or summary that the request asks for. */
  title: 3,
  nameShare: 1.1,
  /** The share of the request that the tool matches. */
  coverage: 0.7,
  /** The similarity of a tool's meaning to that of the request, above the minimum. */
  meaning: 7.5,
  minMeaning: 0.2,
  /** The same if a language model compares meanings. */
  model: {
    /** Its share. The rest is that of word vectors. */
    share: 0.5,
    /** The similarity of a tool that the model has not read yet is about this share of that by word vectors. */
    expected: 0.9,
    meaning: 8,
    minMeaning: 0.1,
    minFit: 0.03,
    meaningFit: 3,
    minFitMeaning: 0.2,
  },
  /** A tool fits by the share of the request that it matches. A similar meaning adds to it. */
  minFit: 0.2,
  meaningFit: 3,
  /** Unknown words that are not near any word of the tools take away from it: nobody asks a shop to mow the lawn. */
  nearWord: 0.4,
  /** The nearness of unknown words if there are no word vectors. */
  usualNearness: 0.3,
  /** The first result is sure from here on. */
  sureFit: 0.7,
  /** The tool does the wanted kind of action (read, create, update, delete), or another kind. */
  agree: 1.12,
  conflict: 0.63,
  deprecated: 0.75,
  /** Each tool that is picked for a need reduces the worth of that need by this factor. */
  decay: 0.42,
  /** The share of the score for the whole request that is added to the scores for its clauses. */
  whole: 0.8,
  /** A word that names the source. */
  source: 1.4,
};
