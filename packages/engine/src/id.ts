import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

const maxCounter = 0xffff;
let last = { time: -1, counter: 0 };

/**
 * An id that sorts by time and has a prefix for its kind: `key_01k…`. It has 48 bits of milliseconds, 16 bits of a counter for ids of the
 * same millisecond in this process, and 64 random bits.
 */
export function newId(prefix: string, at: Date): string {
  const time = at.getTime();
  last = { time, counter: time === last.time ? Math.min(last.counter + 1, maxCounter) : 0 };
  const bytes = Buffer.concat([Buffer.alloc(8), randomBytes(8)]);
  bytes.writeUIntBE(time, 0, 6);
  bytes.writeUInt16BE(last.counter, 6);
  return `${prefix}_${base32(bytes)}`;
}

function base32(bytes: Uint8Array): string {
  let text = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(value >>> bits) & 31];
    }
    value &= 0xff;
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text;
}
