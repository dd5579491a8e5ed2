import { createHash } from 'node:crypto';
import { RequestError } from '../../call/request-error.ts';
import type { PartPlan } from '../operation.ts';
import { contentText, firstType } from './content-parameter.ts';
import { type Artifacts, type FilePart, fileBytes, sentName, sentType, toFilePart } from './file-input.ts';
import { checkHeader } from './header-parameter.ts';
import { delimiterOf } from './query-parameter.ts';
import { textOf } from './shape.ts';

export interface MultipartPart {
  name: string;
  headers: Record<string, string>;
  /** Whether its position says what it is, as in `multipart/related`. Its name is only for reviewers then. */
  isUnnamed?: true;
  /** Undefined for the default type of a part. For a file it is the document's type; `sentType` decides. */
  mediaType?: string;
  content: { text: string } | { file: FilePart };
}

/** One part per property, and per item of a list. */
export function multipartParts(value: unknown, plans: Record<string, PartPlan>): MultipartPart[] {
  if (typeof value !== 'object' || value === null)
    throw new RequestError('The body must be an object with a property for each part.');
  return Object.entries(value).flatMap(([name, part]) => {
    const plan = (Object.hasOwn(plans, name) ? plans[name] : undefined) ?? {};
    if (part === null || part === undefined) return [];
    return itemsOf(part, plan).map((item) => onePart(name, item, plan));
  });
}

/** A list becomes one part per item, or one text if its style joins items, as Swagger does by default. */
function itemsOf(value: unknown, { style, explode, file }: PartPlan): unknown[] {
  if (!Array.isArray(value)) return [value];
  const joins = !file && explode === false && value.every((item) => typeof item !== 'object');
  return joins ? [value.map(textOf).join(delimiterOf[style ?? 'form'] ?? ',')] : value;
}

function onePart(name: string, value: unknown, plan: PartPlan): MultipartPart {
  const headers: Record<string, string> = {};
  for (const [header, text] of Object.entries(plan.headers ?? {}))
    headers[header] = checkHeader(header, text);
  // A list of types is a choice. A file has its own type.
  const declared = firstType(plan.contentType);
  if (plan.file) {
    const file = toFilePart(value, name);
    return {
      name,
      headers,
      ...(declared !== undefined && { mediaType: checkHeader('content-type', declared) }),
      content: { file },
    };
  }
  const mediaType = declared ?? (typeof value === 'object' ? 'application/json' : undefined);
  const text = mediaType === undefined ? textOf(value) : contentText(mediaType, value);
  return {
    name,
    headers,
    ...(mediaType !== undefined && { mediaType: checkHeader('content-type', mediaType) }),
    // A string in a JSON part may already be JSON; other values are serialised.
    content: { text: typeof value === 'string' && mediaType !== 'application/json' ? value : text },
  };
}

export function writeMultipart(parts: MultipartPart[], boundary: string, artifacts: Artifacts): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (const part of parts) {
    const { head, bytes } = writePart(part, artifacts);
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(boundary))
      throw new RequestError(
        `The file ${part.name} contains the multipart boundary of the request, so it cannot be sent.`,
      );
    chunks.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), bytes, Buffer.from('\r\n'));
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return Buffer.concat(chunks);
}

/** A hash of all parts, so that it is the same for each attempt and no part can contain it. Planning does not compute it, because it reads all parts. */
export function boundaryOf(parts: MultipartPart[]): string {
  return `executor-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)}`;
}

function writePart(part: MultipartPart, artifacts: Artifacts): { head: string; bytes: Uint8Array } {
  const { content, headers } = part;
  const extra = Object.entries(headers).map(([name, text]) => `${name}: ${text}`);
  const formData = `Content-Disposition: form-data; name="${quoted(part.name)}"`;
  const disposition = part.isUnnamed ? [] : [formData];
  if ('text' in content) {
    const type = part.mediaType === undefined ? [] : [`Content-Type: ${part.mediaType}`];
    return { head: [...disposition, ...type, ...extra].join('\r\n'), bytes: Buffer.from(content.text) };
  }
  const { file } = content;
  const { bytes, ...metadata } = fileBytes(file, artifacts);
  const name = sentName(file, metadata);
  const type = `Content-Type: ${sentType(file, part.mediaType, metadata)}`;
  const named = disposition.map((text) => `${text}; filename="${quoted(name)}"`);
  return { head: [...named, type, ...extra].join('\r\n'), bytes };
}

/** Escapes names as browsers do. */
function quoted(text: string): string {
  return text
    .toWellFormed()
    .replace(/"/g, '%22')
    .replace(/\r\n|\r|\n/g, (end) => encodeURIComponent(end))
    .replaceAll('\0', '%00');
}
