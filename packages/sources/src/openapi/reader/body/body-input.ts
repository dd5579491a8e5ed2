import type { JsonSchema } from '@executor/engine';
import { type JsonObject, own, setOwn } from '../../../document/json.ts';
import type { BodyPlan, PartPlan } from '../../operation.ts';
import type { Api } from '../operation/api.ts';
import type { InputFields } from '../operation/input-fields.ts';
import { fileInput } from '../schema/file-input.ts';
import { type ObjectShape, objectShape } from '../schema/object-shape.ts';
import { withDescription } from '../schema/with-description.ts';
import type { DeclaredBody } from './body-choice.ts';
import { fileSchema, type PropertySchema, propertySchema } from './body-schemas.ts';
import { type AddedFiles, addFiles, type BodyFields, jsonOrMultipart } from './files-input.ts';
import { planPart } from './parts.ts';

/** The keywords of an input schema other than its fields. */
export interface InputLimits {
  additional?: JsonSchema;
  dependentRequired?: JsonObject;
  allOf?: JsonSchema[];
  /** The defaults of fields that Executor must not fill in by itself: they would create a body that the caller did not send. */
  documentedDefaults?: JsonObject;
}

interface AddedBody {
  plan: BodyPlan;
  limits: InputLimits;
}

/** Adds the fields of an object body to the input. Any other body is one field. */
export function addBody(body: DeclaredBody, fields: InputFields, api: Api): AddedBody {
  const isForm = body.kind === 'form' || body.kind === 'multipart';
  const shape =
    body.schema && (isForm || body.kind === 'json')
      ? objectShape(body.schema, api.references, isForm)
      : undefined;
  return shape ? addFields(shape, body, { fields, api }) : addWhole(body, fields, api);
}

function addWhole(body: DeclaredBody, fields: InputFields, api: Api): AddedBody {
  const field = fields.add('body', 'body', withDescription(wholeSchema(body, api), body.description));
  if (body.required) fields.required.add(field);
  return { plan: { ...planOf(body), from: { type: 'field', field } }, limits: {} };
}

function wholeSchema({ kind, schema, mediaType }: DeclaredBody, api: Api): JsonSchema {
  if (kind === 'binary') return api.schemas.builtIn('FileInput', fileInput);
  const target = schema && api.references.follow(schema);
  const isText = own(target?.value, 'type') === 'string';
  if (kind === 'text' && !isText) return { type: 'string', description: `The body as text (${mediaType}).` };
  return schema ? api.schemas.read(schema, 'input') : true;
}

function planOf({ required, mediaType, kind }: DeclaredBody): Omit<BodyPlan, 'from'> {
  return { required, mediaType, kind };
}

function addFields(
  shape: ObjectShape,
  body: DeclaredBody,
  { fields, api }: { fields: InputFields; api: Api },
): AddedBody {
  const byField: Record<string, string> = {};
  const byProperty = new Map<string, string>();
  const parts: Record<string, PartPlan> = {};
  const documentedDefaults: JsonObject = {};
  for (const [property, located] of shape.properties) {
    const part = body.kind === 'json' ? undefined : planPart(property, located[0], body, api);
    const { schema, documentedDefault }: PropertySchema = part?.file
      ? { schema: fileSchema(located[0], api) }
      : propertySchema(located, body, api);
    const field = fields.add('body', property, schema);
    if (documentedDefault !== undefined) setOwn(documentedDefaults, field, documentedDefault);
    setOwn(byField, field, property);
    byProperty.set(property, field);
    if (part) setOwn(parts, property, part);
  }
  const hasAdditional = shape.additional !== undefined;
  const files = addFiles(body, { fields, byProperty, api });
  const plan: BodyPlan = {
    ...planOf(body),
    from: { type: 'fields', fields: byField, ...(hasAdditional && { rest: true as const }) },
    ...(Object.keys(parts).length > 0 && { parts }),
    ...(files && { files: files.plan }),
  };
  const limits = limitsOf(shape, body, { fields, byProperty, api, files });
  return {
    plan,
    limits: { ...limits, ...(Object.keys(documentedDefaults).length > 0 && { documentedDefaults }) },
  };
}

function limitsOf(
  shape: ObjectShape,
  body: DeclaredBody,
  { fields, byProperty, api, files }: BodyFields & { files: AddedFiles | undefined },
): InputLimits {
  const { additional } = shape;
  const jsonRequired = [...shape.required].flatMap((name) => byProperty.get(name) ?? []);
  const required = files ? jsonRequired.filter((field) => files.required.includes(field)) : jsonRequired;
  // A file field is multipart even if the JSON body allows additional properties.
  const limits: InputLimits = additional ? { additional: api.schemas.read(additional, 'input') } : {};
  const jsonDependencies = body.required ? {} : dependencies([...byProperty.values()], required);
  if (body.required) for (const field of required) fields.required.add(field);
  // A field that the JSON body does not have makes the body multipart.
  const withFiles = (files?.required ?? []).filter((field) => !fields.required.has(field));
  const dependentRequired = { ...jsonDependencies, ...dependencies(files?.plan.only ?? [], withFiles) };
  if (Object.keys(dependentRequired).length > 0) limits.dependentRequired = dependentRequired;
  if (!body.required) return limits;
  const choices = choicesOf(shape, jsonRequired, byProperty);
  const allOf = files ? jsonOrMultipart({ required: jsonRequired, choices }, files) : choices;
  return allOf.length > 0 ? { ...limits, allOf } : limits;
}

/** An optional body that must be complete if present: each of its fields requires the required ones. */
function dependencies(fields: string[], required: string[]): JsonObject {
  const result: JsonObject = {};
  for (const field of fields) {
    const others = required.filter((other) => other !== field);
    if (others.length > 0) setOwn(result, field, others);
  }
  return result;
}

const maxChoices = 100;

function choicesOf(shape: ObjectShape, required: string[], byProperty: Map<string, string>): JsonSchema[] {
  // A read-only field cannot be required. A group with a field that the body lacks never holds.
  const fieldsOf = (name: string) => (shape.dropped.has(name) ? [] : [byProperty.get(name) ?? name]);
  const choices = shape.choices
    .map(({ keyword, groups }) => ({ keyword, groups: groups.map((group) => group.flatMap(fieldsOf)) }))
    .filter(({ groups }) => groups.every((group) => group.length > 0))
    .map(({ keyword, groups }) => ({ [keyword]: groups.map((group) => ({ required: group })) }));
  const fields = [...byProperty.values()];
  if (
    shape.minProperties > 0 &&
    required.length === 0 &&
    choices.length === 0 &&
    fields.length <= maxChoices &&
    !shape.additional
  ) {
    choices.push({ anyOf: fields.map((field) => ({ required: [field] })) });
  }
  return choices;
}
