/**
 * How the lane and the server count the size of a run's log. Even an empty line has a cost: it is a row of the journal and an entry of
 * every response that shows the log.
 */
const lineCost = 32;
/** Extra bytes for the lane's own notice that the log is full. */
export const noticeBytes = 512;

export function costOfLine(bytes: number): number {
  return bytes + lineCost;
}

/** One line may take an eighth of the log, so that later lines still fit. */
export function maxBytesOfLine(logBytes: number): number {
  return Math.floor(logBytes / 8);
}
