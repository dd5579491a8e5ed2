import { hash } from 'node:crypto';

/** How a call's input is told apart in the journal. */
export function hashInput(json: string): string {
  return hash('sha256', json, 'base64url').slice(0, 22);
}
