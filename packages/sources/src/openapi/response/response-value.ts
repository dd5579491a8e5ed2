import type { Invocation } from '@executor/engine';
import type { HttpResponse } from '../../http/http-client.ts';
import { artifactName } from './artifact-name.ts';
import { decodeText, textIfText } from './decode-text.ts';
import { jsonOrText, readEventStream } from './event-stream.ts';
import { readWhole } from './limited-body.ts';
import { kindOf, type MediaType, parseMediaType } from './media-type.ts';
import { parseJson } from './parse-json.ts';
import { type CutOff, readLines, type StreamLimits } from './stream-lines.ts';

export interface ValueOptions {
  /** Limit for bodies that are read whole. Each kind has its own default. */
  maxBytes: number | undefined;
  /** Deadline of a stream, in milliseconds since 1970. */
  streamsEndAt: number;
  /** Whether the document declares a JSON response. It takes precedence over the response's media type. */
  expectsJson: boolean;
  putArtifact: Invocation['putArtifact'];
}

const maxTextBytes = 10 * 1024 * 1024;
const maxBinaryBytes = 32 * 1024 * 1024;

/** The body of a response as JSON; null if empty. Throws `ResponseTooLargeError`. */
export async function responseValue(response: HttpResponse, options: ValueOptions): Promise<unknown> {
  const mediaType = parseMediaType(response.headers['content-type']);
  const kind = kindOf(mediaType);
  const limits = { maxBytes: options.maxBytes ?? maxTextBytes, endsAt: options.streamsEndAt };
  switch (kind) {
    case 'events': {
      const { events, cutOff } = await readEventStream(response.body, limits);
      return cutOff ? [...events, { event: 'executor:cutOff', data: cutOffSentences[cutOff] }] : events;
    }
    case 'lines':
      return jsonLines(response, limits);
    case 'binary':
      return options.expectsJson && mediaType.type === 'application/octet-stream'
        ? guessValue(response, mediaType, options)
        : storeArtifact(
            await readWhole(response.body, options.maxBytes ?? maxBinaryBytes),
            response,
            options,
          );
    case 'unknown':
      return guessValue(response, mediaType, options);
    default: {
      const text = decodeText(
        await readWhole(response.body, limits.maxBytes),
        mediaType.parameters.get('charset'),
      );
      if (kind === 'json') return parseOrExplain(text);
      return options.expectsJson && /^\s*[[{]/.test(text) ? jsonOrText(text) : text;
    }
  }
}

async function jsonLines({ body }: HttpResponse, limits: StreamLimits): Promise<unknown[]> {
  const values: unknown[] = [];
  const cutOff = await readLines(body, limits, (line) => {
    // In RFC 7464 each text starts with a record separator.
    const text = line.replaceAll('\u001e', '').trim();
    if (text !== '') values.push(jsonOrText(text));
  });
  return cutOff ? [...values, { cutOff: cutOffSentences[cutOff] }] : values;
}

/** Guesses how to read a body whose media type is missing or too generic. */
async function guessValue(
  response: HttpResponse,
  mediaType: MediaType,
  options: ValueOptions,
): Promise<unknown> {
  const bytes = await readWhole(response.body, options.maxBytes ?? maxBinaryBytes);
  if (bytes.length === 0) return null;
  const text = textIfText(bytes);
  if (text === undefined) return storeArtifact(bytes, response, options);
  const value = jsonOrText(text);
  return typeof value === 'object' || mediaType.type === '' ? value : storeArtifact(bytes, response, options);
}

function parseOrExplain(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return parseJson(text);
  } catch (error) {
    return {
      text,
      note: `The response is labelled as JSON but is not valid JSON: ${(error as Error).message}`,
    };
  }
}

async function storeArtifact(
  bytes: Uint8Array,
  { headers, url }: HttpResponse,
  { putArtifact }: ValueOptions,
): Promise<unknown> {
  if (bytes.length === 0) return null;
  const name = artifactName(headers['content-disposition'], url);
  const mediaType = parseMediaType(headers['content-type']).type || 'application/octet-stream';
  const handle = await putArtifact({ bytes, mediaType, ...(name !== undefined && { name }) });
  return {
    type: 'artifact',
    id: handle.artifactId,
    mediaType: handle.mediaType,
    bytes: handle.bytes,
    ...(name !== undefined && { name }),
  };
}

const cutOffSentences: Record<CutOff, string> = {
  time: 'The stream exceeded the timeout of the call. This is the part that arrived.',
  size: 'The stream exceeded the size limit. This is its beginning.',
  connection: 'The connection closed before the stream ended. This is the part that arrived.',
};
