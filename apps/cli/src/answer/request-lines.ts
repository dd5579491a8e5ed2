import { printable } from '@executor/protocol';
import { jsonText } from '../output.ts';

/**
 * The request of a call for a reviewer: `POST host/path` if it is an HTTP request, then each field of the body and each header on a line of
 * its own. A line never holds a line break of the request, so no value can look like another field. Headers that Executor sends with
 * every request are shown only in the `whole` request.
 */
export function requestLines(request: unknown, { whole = false } = {}): string[] {
  if (!isRecord(request)) return alignedLines(fieldsOf(request));
  const { method, url, headers, body, tool, input, shortened: _, ...others } = request;
  if (typeof tool === 'string' && Object.keys(others).length === 0) return alignedLines(fieldsOf(input));
  if (typeof method !== 'string' || typeof url !== 'string') return alignedLines(fieldsOf(request));
  const parts = isMultipart(headers) && isRecord(body) ? body.parts : undefined;
  const fields = [
    ...(parts === undefined ? fieldsOf(body) : fieldsOfParts(parts)),
    ...(Object.keys(others).length > 0 ? fieldsOf(others) : []),
  ];
  const sent = headersOf(whole ? headers : withoutRoutine(headers, body));
  const width = columnWidth([...fields, ...sent]);
  return [
    `  ${printable(method)} ${printable(url.replace(/^https:\/\//, ''))}`,
    ...alignedLines(fields, width),
    ...(sent.length > 0 ? ['  headers', ...alignedLines(sent, width)] : []),
  ];
}

interface Field {
  /** Empty if the value has no name. */
  name: string;
  text: string;
}

function headersOf(headers: unknown): Field[] {
  if (!isRecord(headers)) return [];
  return Object.entries(headers).map(([name, value]) => ({
    name: printable(name),
    text: printable(String(value)),
  }));
}

/** The headers without those that say nothing about this request. The boundary of a form follows from its parts. */
function withoutRoutine(headers: unknown, body: unknown): unknown {
  if (!isRecord(headers)) return headers;
  const isObject = typeof body === 'object' && body !== null;
  const routine: Record<string, string> = {
    accept: 'application/json',
    'user-agent': 'executor',
    ...(isObject && { 'content-type': 'application/json' }),
  };
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => !Object.hasOwn(routine, name) || routine[name] !== value)
      .map(([name, value]) =>
        name === 'content-type' && isMultipart(headers)
          ? [name, String(value).replace(/; boundary=[^;]*$/, '')]
          : [name, value],
      ),
  );
}

/** The parts of a form. A file is shown by its name and size. */
function fieldsOfParts(parts: unknown): Field[] {
  if (!Array.isArray(parts)) return fieldsOf(parts);
  return parts.flatMap((part) => {
    if (!isRecord(part)) return fieldsOf(part);
    const { name, value, file, ...others } = part;
    const more = Object.keys(others).length > 0 ? ` ${jsonText(others)}` : '';
    const shown = isRecord(file) ? fileText(file) : valueText(value);
    return [{ name: keyText(String(name)), text: `${shown}${more}` }];
  });
}

function fileText({ name, bytes, text, artifact, mediaType, ...others }: Record<string, unknown>): string {
  const size = typeof text === 'string' ? Buffer.byteLength(text) : bytes;
  const about = [
    `file ${name === undefined ? '(no name)' : String(name)}`,
    ...(typeof size === 'number' ? [`${size.toLocaleString('en')} bytes`] : []),
    ...(artifact === undefined ? [] : [`from artifact ${String(artifact)}`]),
    ...(mediaType === undefined ? [] : [String(mediaType)]),
    ...Object.entries(others).map(([key, value]) => `${key} ${String(value)}`),
  ];
  const content = typeof text === 'string' ? `: ${jsonText(text)}` : '';
  return `${printable(about.join(', '))}${content}`;
}

/** Each value with its path, such as `lines[0].sku`. */
function fieldsOf(value: unknown): Field[] {
  if (value === undefined) return [];
  return leaves(value, '').map(([name, leaf]) => ({ name, text: valueText(leaf) }));
}

function leaves(value: unknown, path: string): [string, unknown][] {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null))
    return value.flatMap((item, index) => leaves(item, `${path}[${index}]`));
  if (!isRecord(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([key, item]) =>
    leaves(item, path === '' ? keyText(key) : `${path}.${keyText(key)}`),
  );
}

function keyText(key: string): string {
  return /^[\p{L}\p{N}_$-]+$/u.test(key) ? key : jsonText(key);
}

/** Text without quotes, unless it could be mistaken for another value. */
function valueText(value: unknown): string {
  if (typeof value !== 'string') return jsonText(value);
  const isPlain = value === value.trim() && !/^$|^["[{]|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(value);
  return isPlain && !isJson(value) ? value : jsonText(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isMultipart(headers: unknown): boolean {
  return isRecord(headers) && /^multipart\//i.test(String(headers['content-type'] ?? ''));
}

function alignedLines(fields: Field[], width = columnWidth(fields)): string[] {
  return fields.map(({ name, text }) => `    ${name === '' ? '' : `${name.padEnd(width)}  `}${text}`);
}

/** The width of the names of one request. Longer names than the maximum move only their own value. */
function columnWidth(fields: Field[]): number {
  const longest = Math.max(0, ...fields.map(({ name }) => name.length));
  return Math.min(maxNameWidth, Math.max(minNameWidth, longest));
}

const minNameWidth = 12;
const maxNameWidth = 30;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
