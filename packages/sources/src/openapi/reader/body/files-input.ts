import type { JsonSchema } from '@executor/engine';
import { setOwn } from '../../../document/json.ts';
import type { FilesPlan, PartPlan } from '../../operation.ts';
import type { Api } from '../operation/api.ts';
import type { InputFields } from '../operation/input-fields.ts';
import { objectShape } from '../schema/object-shape.ts';
import type { DeclaredBody } from './body-choice.ts';
import { fileSchema, propertySchema } from './body-schemas.ts';
import { planPart } from './parts.ts';

/** The input fields that belong to the body. */
export interface BodyFields {
  fields: InputFields;
  /** Maps properties to input fields. */
  byProperty: Map<string, string>;
  api: Api;
}

export interface AddedFiles {
  plan: FilesPlan;
  /** Fields that are required with files. */
  required: string[];
}

/** Adds the multipart fields of an operation to its JSON fields. Undefined if it accepts no files. */
export function addFiles(
  body: DeclaredBody,
  { fields, byProperty, api }: BodyFields,
): AddedFiles | undefined {
  const { multipart } = body;
  const shape = multipart?.schema && objectShape(multipart.schema, api.references, true);
  if (multipart === undefined || shape === undefined) return undefined;
  const planned = [...shape.properties].map(([property, located]) => ({
    property,
    located,
    part: planPart(property, located[0], { ...body, ...multipart, kind: 'multipart' }, api),
  }));
  if (!planned.some(({ part }) => part?.file)) return undefined;
  const plan: FilesPlan = { mediaType: multipart.mediaType, fields: {}, parts: {}, only: [], either: [] };
  for (const [property, field] of byProperty) setOwn(plan.fields, field, property);
  const names = new Map(byProperty);
  for (const { property, located, part } of planned) {
    if (part) setOwn(plan.parts, property, part);
    const jsonField = byProperty.get(property);
    if (jsonField !== undefined && !part?.file) continue;
    const schema = part?.file
      ? fileSchema(located[0], api)
      : propertySchema(located, { required: false }, api).schema;
    const field = jsonField ?? fields.add('body', property, schema);
    if (jsonField !== undefined) fields.widen(jsonField, schema);
    names.set(property, field);
    setOwn(plan.fields, field, property);
    (jsonField === undefined ? plan.only : plan.either).push(field);
  }
  return { plan, required: [...shape.required].flatMap((name) => names.get(name) ?? []) };
}

/** Requires either the JSON body's required fields, or a file with its required fields. */
export function jsonOrMultipart(
  json: { required: string[]; choices: JsonSchema[] },
  { plan, required }: AddedFiles,
): JsonSchema[] {
  const jsonOnly = json.required.filter((field) => !required.includes(field));
  const multipartOnly = required.filter((field) => !json.required.includes(field));
  const files = [...plan.only, ...plan.either].filter((field) => isFile(plan, field));
  const withFile = files.map((field) => ({ required: [...new Set([field, ...multipartOnly])] }));
  const asJson = {
    ...(jsonOnly.length > 0 && { required: jsonOnly }),
    ...(json.choices.length > 0 && { allOf: json.choices }),
  };
  const hasJsonRules = Object.keys(asJson).length > 0;
  return [
    ...(hasJsonRules ? [{ anyOf: [asJson, ...withFile] }] : []),
    ...requiredByFiles(plan, multipartOnly),
  ];
}

/** A field that the JSON body has too requires the multipart fields only if its value is a file. */
function requiredByFiles({ either }: FilesPlan, multipartOnly: string[]): JsonSchema[] {
  if (multipartOnly.length === 0) return [];
  const file = { type: 'object', anyOf: contents.map((key) => ({ required: [key] })) };
  const fileOrFiles = { anyOf: [file, { type: 'array', contains: file }] };
  return either.map((field) => ({
    if: { required: [field], properties: { [field]: fileOrFiles } },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
    then: { required: multipartOnly },
  }));
}

const contents = ['text', 'base64', 'artifact'];

function isFile({ fields, parts }: FilesPlan, field: string): boolean {
  const part: PartPlan | undefined = parts[fields[field] ?? ''];
  return part?.file === true;
}
