/**
 * What the log of a run costs, as the lane and the server both count it. A line costs something even when it is empty: it is a row of the
 * journal and an entry of every answer that shows the log.
 */
const lineCost = 32;
/** What the lane itself may add to the log, to say that it is full. */
export const noticeBytes = 512;

export function costOfLine(bytes: number): number {
  return bytes + lineCost;
}

/** One line may take an eighth of the log, so that those after it are heard too. */
export function maxBytesOfLine(logBytes: number): number {
  return Math.floor(logBytes / 8);
}
