import type { BodyPlan, FilesPlan } from '../operation.ts';
import { responseField } from '../response-field.ts';
import { type FilePart, toFilePart } from './file-input.ts';
import { writeForm } from './form-body.ts';
import type { InputSchema } from './integer-text.ts';
import { type MultipartPart, multipartParts } from './multipart-body.ts';
import { checkFileType } from './names/file-type.ts';
import { bodyNames, type SentName } from './names/sent-names.ts';
import { textOf } from './shape.ts';

/** The body of a call before its files are read. */
export type RequestBody =
  | { type: 'json'; mediaType: string; value: unknown }
  | { type: 'text'; mediaType: string; text: string }
  | { type: 'file'; mediaType: string; file: FilePart }
  | { type: 'multipart'; mediaType: string; parts: MultipartPart[] };

export interface WrittenBody {
  body?: RequestBody;
  /** The names of its fields. */
  names: SentName[];
}

export interface BodyContext {
  /** Input fields that are sent as parameters, so they are not part of the body. */
  parameterFields: ReadonlySet<string>;
  schema: InputSchema;
}

export function requestBody(
  declared: BodyPlan | undefined,
  input: Record<string, unknown>,
  { parameterFields, schema }: BodyContext,
): WrittenBody {
  const plan = declared && chosenPlan(declared, input);
  const value = plan && bodyValue(plan, input, parameterFields);
  if (plan === undefined || value === undefined) return { names: [] };
  return { body: writeBody(plan, value), names: bodyNames(plan, value, schema) };
}

function writeBody(plan: BodyPlan, value: unknown): RequestBody {
  const mediaType = concreteType(plan);
  switch (plan.kind) {
    case 'json':
      return { type: 'json', mediaType, value };
    case 'form':
      return { type: 'text', mediaType, text: writeForm(value, plan.parts ?? {}) };
    case 'multipart':
      return { type: 'multipart', mediaType, parts: multipartParts(value, plan.parts ?? {}) };
    case 'text':
      return isFile(value)
        ? fileBody(value, mediaType, fieldOf(plan))
        : { type: 'text', mediaType, text: textOf(value) };
    case 'binary':
      return fileBody(value, mediaType, fieldOf(plan));
  }
}

export function fileBody(value: unknown, mediaType: string, field: string): RequestBody {
  const file = toFilePart(value, field);
  if (file.mediaType !== undefined)
    checkFileType(file.mediaType, { declared: mediaType, origin: `${field}.mediaType` });
  return { type: 'file', mediaType, file };
}

/** The multipart body, if the input has fields that JSON cannot carry. */
function chosenPlan(plan: BodyPlan, input: Record<string, unknown>): BodyPlan {
  const { required, from, files } = plan;
  if (files === undefined || !hasFiles(files, input)) return plan;
  const { mediaType, fields, parts } = files;
  const rest = from.type === 'fields' && from.rest;
  return {
    required,
    mediaType,
    kind: 'multipart',
    parts,
    from: { type: 'fields', fields, ...(rest && { rest }) },
  };
}

function hasFiles({ only, either }: FilesPlan, input: Record<string, unknown>): boolean {
  const fieldValue = (field: string) => (Object.hasOwn(input, field) ? input[field] : undefined);
  return (
    only.some((field) => fieldValue(field) !== undefined) ||
    either.some((field) => [fieldValue(field)].flat().some(isFile))
  );
}

function bodyValue(
  plan: BodyPlan,
  input: Record<string, unknown>,
  parameterFields: ReadonlySet<string>,
): unknown {
  const { from } = plan;
  if (from.type === 'field') return Object.hasOwn(input, from.field) ? input[from.field] : undefined;
  const entries: [string, unknown][] = [];
  for (const [field, property] of Object.entries(from.fields)) {
    if (Object.hasOwn(input, field)) entries.push([property, input[field]]);
  }
  if (from.rest) {
    for (const [field, value] of Object.entries(input)) {
      if (!parameterFields.has(field) && !Object.hasOwn(from.fields, field) && field !== responseField)
        entries.push([field, value]);
    }
  }
  // `fromEntries` creates own properties for all names, including `__proto__`.
  return entries.length > 0 || plan.required ? Object.fromEntries(entries) : undefined;
}

/** Some documents list only media type patterns, which cannot be sent. */
function concreteType({ mediaType, kind }: BodyPlan): string {
  if (!mediaType.includes('*')) return mediaType;
  if (kind === 'json') return 'application/json';
  return kind === 'text' ? 'text/plain' : 'application/octet-stream';
}

function fieldOf({ from }: BodyPlan): string {
  return from.type === 'field' ? from.field : 'body';
}

function isFile(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const keys = Object.keys(value);
  return (
    ['text', 'base64', 'artifact'].some(
      (key) => typeof (value as Record<string, unknown>)[key] === 'string',
    ) && keys.every((key) => ['text', 'base64', 'artifact', 'name', 'mediaType'].includes(key))
  );
}
