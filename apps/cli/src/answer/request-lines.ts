import { printable } from '@executor/protocol';
import { jsonText } from '../output.ts';

/**
 * The request of a call for a reviewer: `POST host/path` if it is an HTTP request, then each header and each field of the body
 * on a line of its own. A line never holds a line break of the request, so no value can look like another field.
 */
export function requestLines(request: unknown): string[] {
  if (!isRecord(request)) return fieldLines(request);
  const { method, url, headers, body, tool, input, shortened: _, ...others } = request;
  if (typeof tool === 'string' && Object.keys(others).length === 0) return fieldLines(input);
  if (typeof method !== 'string' || typeof url !== 'string') return fieldLines(request);
  const sent = isRecord(headers) ? Object.entries(headers) : [];
  return [
    `  ${printable(method)} ${printable(url.replace(/^https:\/\//, ''))}`,
    ...sent.map(([name, value]) => `    ${pad('header')}${printable(`${name}: ${String(value)}`)}`),
    ...(isMultipart(headers) && isRecord(body) ? partLines(body.parts) : fieldLines(body)),
    ...(Object.keys(others).length > 0 ? fieldLines(others) : []),
  ];
}

/** The parts of a form. A file is shown by its name and size. */
function partLines(parts: unknown): string[] {
  if (!Array.isArray(parts)) return fieldLines(parts);
  return parts.flatMap((part) => {
    if (!isRecord(part)) return fieldLines(part);
    const { name, value, file, ...others } = part;
    const more = Object.keys(others).length > 0 ? ` ${jsonText(others)}` : '';
    const shown = isRecord(file) ? fileText(file) : valueText(value);
    return [`    ${pad(keyText(String(name)))}${shown}${more}`];
  });
}

function fileText({ name, bytes, text, artifact, mediaType, ...others }: Record<string, unknown>): string {
  const size = typeof text === 'string' ? Buffer.byteLength(text) : bytes;
  const about = [
    `file ${name === undefined ? '(no name)' : String(name)}`,
    ...(typeof size === 'number' ? [`${size.toLocaleString('en')} bytes`] : []),
    ...(artifact === undefined ? [] : [`the artifact ${String(artifact)}`]),
    ...(mediaType === undefined ? [] : [String(mediaType)]),
    ...Object.entries(others).map(([key, value]) => `${key} ${String(value)}`),
  ];
  const content = typeof text === 'string' ? `: ${jsonText(text)}` : '';
  return `${printable(about.join(', '))}${content}`;
}

/** Each value with its path, such as `lines[0].sku`. */
function fieldLines(value: unknown): string[] {
  if (value === undefined) return [];
  return leaves(value, '').map(([path, leaf]) => `    ${path === '' ? '' : pad(path)}${valueText(leaf)}`);
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

function pad(name: string): string {
  return `${name.padEnd(nameWidth)}  `;
}

const nameWidth = 12;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
