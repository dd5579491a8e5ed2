import { artifactValue, type CallAnswer, type Invocation, type JsonReader } from '@executor/engine';
import type { HttpResponse } from '../http/http-client.ts';
import { artifactName } from './artifact-name.ts';
import { BodyRoom } from './body-room.ts';
import { decodeText, textIfText } from './decode-text.ts';
import { readEventStream } from './event-stream.ts';
import { JsonList } from './json-list.ts';
import { readWhole } from './limited-body.ts';
import { kindOf, type MediaType, parseMediaType } from './media-type.ts';
import { jsonOfText, readJson } from './read-json.ts';
import { type CutOff, readLines, type StreamLimits } from './stream-lines.ts';

export interface ValueOptions extends Pick<Invocation, 'putArtifact' | 'allowAnswer'> {
  /** Limit for bodies that are read whole. Each kind has its own default. */
  maxBytes: number | undefined;
  /** Deadline of a stream, in milliseconds since 1970. */
  streamsEndAt: number;
  /** Whether the document declares a JSON response. It takes precedence over the response's media type. */
  expectsJson: boolean;
  /** Whether the response is a file, even if it is text. */
  isFile: boolean;
  jsonReader: JsonReader;
}

/** Large JSON is passed on as text, because nobody needs its value here. */
export type ResponseValue = CallAnswer;

const maxTextBytes = 10 * 1024 * 1024;
const maxBinaryBytes = 32 * 1024 * 1024;

/** The body of a response; null if empty. Throws `ResponseTooLargeError` and `JsonTooDeepError`. */
export async function responseValue(response: HttpResponse, options: ValueOptions): Promise<ResponseValue> {
  const mediaType = parseMediaType(response.headers['content-type']);
  const kind = options.isFile ? 'binary' : kindOf(mediaType);
  const room = new BodyRoom(options.allowAnswer, response.length);
  const limits = { maxBytes: options.maxBytes ?? maxTextBytes, room, endsAt: options.streamsEndAt };
  switch (kind) {
    case 'events':
      return eventList(response, limits, options);
    case 'lines':
      return lineList(response, limits, options);
    case 'binary':
    case 'unknown': {
      const bytes = await readWhole(response.body, { maxBytes: options.maxBytes ?? maxBinaryBytes, room });
      const isUnclear =
        kind === 'unknown' ||
        (options.expectsJson && !options.isFile && mediaType.type === 'application/octet-stream');
      return isUnclear
        ? guessValue(bytes, response, mediaType, options)
        : storeArtifact(bytes, response, options);
    }
    default: {
      const bytes = await readWhole(response.body, limits);
      const charset = mediaType.parameters.get('charset');
      if (kind === 'json') return jsonOrExplain(bytes, charset, options);
      const text = decodeText(bytes, charset);
      return options.expectsJson && /^\s*[[{]/.test(text) ? jsonOrText(text, options) : asValue(text);
    }
  }
}

function asValue(value: unknown): ResponseValue {
  return { type: 'value', value };
}

async function eventList(
  { body }: HttpResponse,
  limits: StreamLimits,
  { jsonReader }: ValueOptions,
): Promise<ResponseValue> {
  const { events, cutOff } = await readEventStream(body, limits, jsonReader);
  if (cutOff) events.add(JSON.stringify({ event: 'executor:cutOff', data: cutOffSentences[cutOff] }));
  return { type: 'json', json: events.toString() };
}

async function lineList(
  { body }: HttpResponse,
  limits: StreamLimits,
  { jsonReader }: ValueOptions,
): Promise<ResponseValue> {
  const values = new JsonList();
  const add = (json: string) => values.add(json);
  const cutOff = await readLines(body, limits, (line) => {
    // In RFC 7464 each text starts with a record separator.
    const text = line.replaceAll('\u001e', '').trim();
    if (text === '') return undefined;
    const json = jsonOfText(text, jsonReader);
    if (typeof json !== 'string') return json.then(add);
    add(json);
    return undefined;
  });
  if (cutOff) add(JSON.stringify({ cutOff: cutOffSentences[cutOff] }));
  return { type: 'json', json: values.toString() };
}

/** Guesses how to read a body whose media type is missing or too generic. */
async function guessValue(
  bytes: Uint8Array,
  response: HttpResponse,
  mediaType: MediaType,
  options: ValueOptions,
): Promise<ResponseValue> {
  if (bytes.length === 0) return asValue(null);
  const text = textIfText(bytes);
  if (text === undefined) return storeArtifact(bytes, response, options);
  if (mediaType.type === '') return jsonOrText(text, options);
  const value = /^\s*([[{]|null\s*$)/.test(text) ? await jsonOrText(text, options) : undefined;
  return value?.type === 'json' ? value : storeArtifact(bytes, response, options);
}

async function jsonOrText(text: string, { jsonReader }: ValueOptions): Promise<ResponseValue> {
  try {
    return { type: 'json', json: await readJson(Buffer.from(text), undefined, jsonReader) };
  } catch (error) {
    if (error instanceof SyntaxError) return asValue(text);
    throw error;
  }
}

async function jsonOrExplain(
  bytes: Uint8Array,
  charset: string | undefined,
  { jsonReader }: ValueOptions,
): Promise<ResponseValue> {
  try {
    return { type: 'json', json: await readJson(bytes, charset, jsonReader) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const text = decodeText(bytes, charset);
    const note = `The response is labelled as JSON but is not valid JSON: ${error.message}`;
    return asValue(text.trim() === '' ? null : { text, note });
  }
}

async function storeArtifact(
  bytes: Uint8Array,
  { headers, url }: HttpResponse,
  { putArtifact, isFile }: ValueOptions,
): Promise<ResponseValue> {
  if (bytes.length === 0) return asValue(null);
  const name = artifactName(headers['content-disposition'], url);
  const mediaType = parseMediaType(headers['content-type']).type || 'application/octet-stream';
  const handle = await putArtifact({ bytes, mediaType, ...(name !== undefined && { name }) });
  const named = { ...handle, ...(name !== undefined && { name }) };
  return asValue(
    artifactValue(
      named,
      `The response is ${isFile ? 'a file' : 'not text'}, so it is stored as an artifact.`,
    ),
  );
}

const cutOffSentences: Record<CutOff, string> = {
  time: 'The stream exceeded the timeout of the call. This is the part that arrived.',
  size: 'The stream exceeded the size limit. This is its beginning.',
  connection: 'The connection closed before the stream ended. This is the part that arrived.',
};
