import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits after a prefix, by which people and scanners for leaked keys recognise it. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

/** A fast hash is enough for 256 random bits, which nobody can guess. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function secretsMatch(presented: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(presented)), Buffer.from(hashSecret(expected)));
}
