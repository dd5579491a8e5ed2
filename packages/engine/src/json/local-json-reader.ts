import { cutJson } from '../execution/view/cut-json.ts';
import type { JsonReader } from '../ports/json-reader.ts';
import { compactJson } from './compact-json.ts';

/** Reads JSON on the calling thread, for small texts. */
export const localJsonReader: JsonReader = {
  async read(bytes, options) {
    return textOf(compactJson(bytes, options));
  },
  async cut(bytes, maxBytes) {
    return cutJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(), maxBytes);
  },
};

export function textOf({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}
