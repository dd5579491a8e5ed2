import { defineGlobals, NativeDate, NativeReferenceError } from '../host.ts';
import { nextUint32, origin } from '../random.ts';

const quota = 65_536;

defineGlobals({
  crypto: {
    getRandomValues<T extends ArrayBufferView>(array: T): T {
      if (!ArrayBuffer.isView(array) || array instanceof Float32Array || array instanceof Float64Array) {
        throw new TypeError('crypto.getRandomValues takes an integer typed array.');
      }
      if (array.byteLength > quota) {
        throw new DOMException(`crypto.getRandomValues fills ${quota} bytes at most.`, 'QuotaExceededError');
      }
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(randomBytes(array.byteLength));
      return array;
    },
    get subtle(): never {
      throw new NativeReferenceError(
        'crypto.subtle is not available in the sandbox: it has no keys. Executor adds secrets to calls for you.',
      );
    },
    randomUUID(): string {
      const bytes = randomBytes(16);
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  },
  performance: {
    now: () => NativeDate.now() - origin.at,
    get timeOrigin() {
      return origin.at;
    },
  },
});

function randomBytes(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => nextUint32() >>> 24);
}
