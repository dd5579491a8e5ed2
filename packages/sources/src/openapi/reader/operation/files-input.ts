import type { JsonSchema } from '@executor/engine';
import type { FilesPlan, PartPlan } from '../../operation.ts';
import { setOwn } from '../document/json.ts';
import { objectShape } from '../schema/object-shape.ts';
import type { Api } from './api.ts';
import type { DeclaredBody } from './body-choice.ts';
import { fileSchema, propertySchema } from './body-schemas.ts';
import type { InputFields } from './input-fields.ts';
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
    const known = byProperty.get(property);
    if (known !== undefined && !part?.file) continue;
    const schema = part?.file
      ? fileSchema(located[0], api)
      : propertySchema(located, { required: false }, api);
    const field = known ?? fields.add('body', property, schema);
    if (known !== undefined) fields.widen(known, schema);
    names.set(property, field);
    setOwn(plan.fields, field, property);
    (known === undefined ? plan.only : plan.either).push(field);
  }
  return { plan, required: [...shape.required].flatMap((name) => names.get(name) ?? []) };
}

/** Requires either the JSON body's required fields, or a file with its required fields. */
export function choiceOfKind(
  ofJson: { required: string[]; choices: JsonSchema[] },
  { plan, required }: AddedFiles,
): JsonSchema[] {
  const alone = ofJson.required.filter((field) => !required.includes(field));
  const beside = required.filter((field) => !ofJson.required.includes(field));
  const files = [...plan.only, ...plan.either].filter((field) => isFile(plan, field));
  const withFile = files.map((field) => ({ required: [...new Set([field, ...beside])] }));
  const asJson = {
    ...(alone.length > 0 && { required: alone }),
    ...(ofJson.choices.length > 0 && { allOf: ofJson.choices }),
  };
  const asks = Object.keys(asJson).length > 0;
  return [...(asks ? [{ anyOf: [asJson, ...withFile] }] : []), ...askedByFiles(plan, beside)];
}

/** A field that the JSON body has too requires the multipart fields only if its value is a file. */
function askedByFiles({ either }: FilesPlan, beside: string[]): JsonSchema[] {
  if (beside.length === 0) return [];
  const file = { type: 'object', anyOf: contents.map((key) => ({ required: [key] })) };
  const given = { anyOf: [file, { type: 'array', contains: file }] };
  return either.map((field) => ({
    if: { required: [field], properties: { [field]: given } },
    // biome-ignore lint/suspicious/noThenProperty: it is a word of JSON Schema
    then: { required: beside },
  }));
}

const contents = ['text', 'base64', 'artifact'];

function isFile({ fields, parts }: FilesPlan, field: string): boolean {
  const part: PartPlan | undefined = parts[fields[field] ?? ''];
  return part?.file === true;
}
