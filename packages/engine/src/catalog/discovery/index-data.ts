export type { IndexData, TermLists } from '../../ports/indexer.ts';

export const impactUnit = 16;

export const flag = {
  read: 1,
  create: 2,
  update: 4,
  delete: 8,
  deprecated: 16,
  /** It looks for something by words. */
  search: 32,
  /** It is about whoever asks. */
  mine: 64,
  /** It answers several. */
  list: 128,
  /** It looks for whatever it is told, on the web or in an encyclopedia. */
  anything: 256,
  /** It is called by a method and a path: what it is given is named by other paths. */
  overHttp: 512,
} as const;

export const anyIntent = flag.read | flag.create | flag.update | flag.delete;
