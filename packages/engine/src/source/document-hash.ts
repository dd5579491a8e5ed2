import { createHash } from 'node:crypto';

/** As the hash of the document that a source was read from. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
