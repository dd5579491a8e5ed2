import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits behind a prefix that lets people, and scanners for leaked keys, tell what it is. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

/** A plain hash is enough for 256 random bits: there is nothing to guess, so nothing to slow down. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function secretsMatch(presented: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(presented)), Buffer.from(hashSecret(expected)));
}
