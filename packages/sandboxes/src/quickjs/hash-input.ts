import { createHash } from 'node:crypto';

/** How a call's input is told apart in the journal. */
export function hashInput(json: string): string {
  return createHash('sha256').update(json).digest('base64url').slice(0, 22);
}
