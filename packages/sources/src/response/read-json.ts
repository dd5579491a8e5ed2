import { isUtf8 } from 'node:buffer';
import { type JsonReader, mediumAnswerBytes } from '@executor/engine';
import { decodeText } from './decode-text.ts';
import { parseJson } from './parse-json.ts';

/** The call succeeded, and its JSON cannot be a value. */
export class JsonTooDeepError extends Error {
  constructor() {
    super(
      'The call succeeded, but its response is JSON that is nested too deeply. Request less. Do not repeat a write.',
    );
    this.name = 'JsonTooDeepError';
  }
}

/** The text of a JSON body, without white space. Throws a `SyntaxError` for invalid JSON. */
export async function readJson(
  bytes: Uint8Array,
  charset: string | undefined,
  reader: JsonReader,
): Promise<string> {
  try {
    return await reader.read(utf8Of(bytes, charset), { quoteLarge: true });
  } catch (error) {
    throw error instanceof RangeError ? new JsonTooDeepError() : error;
  }
}

/** The JSON of a line or an event, which may be plain text. Large ones are read elsewhere. */
export function jsonOfText(text: string, reader: JsonReader): string | Promise<string> {
  if (text.length <= mediumAnswerBytes) return smallJson(text);
  return readJson(Buffer.from(text), undefined, reader).catch((error: unknown) => {
    if (error instanceof SyntaxError) return JSON.stringify(text);
    throw error;
  });
}

function smallJson(text: string): string {
  try {
    return JSON.stringify(parseJson(text));
  } catch {
    return JSON.stringify(text);
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Most bodies are UTF-8 already. */
function utf8Of(bytes: Uint8Array, charset: string | undefined): Uint8Array {
  const isPlain = (charset === undefined || /^utf-?8$/i.test(charset)) && isUtf8(bytes);
  const hasMark = byteOrderMark.equals(bytes.subarray(0, byteOrderMark.length));
  if (isPlain) return hasMark ? bytes.subarray(byteOrderMark.length) : bytes;
  return Buffer.from(decodeText(bytes, charset));
}
