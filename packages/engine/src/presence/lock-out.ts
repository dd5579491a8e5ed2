/** The number of wrong PINs in a row that do not lock. */
export const freeAttempts = 5;

const minute = 60_000;
const longest = 24 * 60 * minute;

/** How long a wrong attempt locks: a minute for the fifth, then twice as long for each further one, up to a day. */
export function lockMs(attempts: number): number {
  return Math.min(longest, minute * 2 ** Math.max(0, attempts - freeAttempts));
}

/** `4 minutes`, `2 hours`. */
export function inWords(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / minute);
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `${Math.ceil(minutes / 60)} hours`;
}
