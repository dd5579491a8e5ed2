import { artifactValue, type Invocation } from '@executor/engine';
import { shortText } from './short-text.ts';

type Put = Pick<Invocation, 'putArtifact'>;
type Json = Record<string, unknown>;

/**
 * The value of a tool's result. Structured content is the value itself. Otherwise text is, parsed if it is a JSON object or list, and
 * several parts are a list. Bytes become artifacts. Parts that structured content does not repeat are added as `$content`.
 */
export async function toolValue(result: Json, put: Put): Promise<unknown> {
  const content = listOf(result.content);
  const { structuredContent } = result;
  if (structuredContent === undefined) {
    const values = await inOrder(content, (part) => partValue(part, put));
    return values.length === 0 ? null : values.length === 1 ? values[0] : values;
  }
  const others = content.filter((part) => part.type !== 'text');
  if (others.length === 0) return structuredContent;
  const $content = await inOrder(others, (part) => partValue(part, put));
  return isObject(structuredContent)
    ? { ...structuredContent, $content }
    : { value: structuredContent, $content };
}

/** What a failed tool says. */
export function errorText({ content, structuredContent }: Json): string {
  const texts = listOf(content).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const text = texts.join('\n').trim() || JSON.stringify(structuredContent) || 'The tool failed.';
  return shortText(text, 4_000);
}

/** The contents of a resource. */
export async function resourceValue({ contents }: Json, put: Put): Promise<unknown> {
  const values = await inOrder(listOf(contents), (one) => resourceContent(one, put));
  return values.length === 1 ? values[0] : values;
}

/** The messages of a prompt. */
export async function promptValue({ description, messages }: Json, put: Put): Promise<unknown> {
  return {
    ...(typeof description === 'string' && { description }),
    messages: await inOrder(listOf(messages), async ({ role, content }) => ({
      role,
      content: isObject(content) ? await partValue(content, put, { parse: false }) : content,
    })),
  };
}

async function partValue(part: Json, put: Put, { parse = true } = {}): Promise<unknown> {
  const { type, text, data, mimeType, resource } = part;
  if (type === 'text' && typeof text === 'string') return parse ? parsed(text) : text;
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return artifact(data, mimeType, `The tool returned ${type === 'image' ? 'an image' : 'sound'}.`, put);
  if (type === 'resource' && isObject(resource)) return resourceContent(resource, put);
  return withoutMeta(part);
}

async function resourceContent(content: Json, put: Put): Promise<unknown> {
  const { blob, mimeType, ...others } = content;
  if (typeof blob !== 'string') return withoutMeta(content);
  const value = await artifact(blob, mimeType, 'The resource is not text.', put);
  return { ...withoutMeta(others), ...value };
}

async function artifact(base64: string, mimeType: unknown, reason: string, { putArtifact }: Put) {
  const mediaType = typeof mimeType === 'string' ? mimeType : 'application/octet-stream';
  const bytes = Buffer.from(base64, 'base64');
  return artifactValue(await putArtifact({ bytes, mediaType }), reason);
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withoutMeta({ _meta, annotations: _, ...others }: Json): Json {
  return others;
}

/** One after the other, because each artifact is charged to the run. */
async function inOrder<One, Value>(list: One[], value: (one: One) => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (const one of list) values.push(await value(one));
  return values;
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
