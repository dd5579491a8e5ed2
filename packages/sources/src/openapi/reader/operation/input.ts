import type { JsonSchema } from '@executor/engine';
import { own } from '../../../document/json.ts';
import type { BodyPlan, ParameterPlan, UploadPlan } from '../../operation.ts';
import { declaredBody } from '../body/body.ts';
import { addBody, type InputLimits } from '../body/body-input.ts';
import { fileInput } from '../schema/file-input.ts';
import { withDescription } from '../schema/with-description.ts';
import type { Api } from './api.ts';
import { InputFields } from './input-fields.ts';
import type { FileUpload, Operation } from './operations.ts';
import { type Parameter, parameterSchema, planParameter } from './parameter-plan.ts';
import { type DeclaredParameter, declaredParameters } from './parameters.ts';

/** The input of a call, and the part of the request that each field is sent in. */
export interface OperationInput {
  schema: JsonSchema;
  parameters: ParameterPlan[];
  body?: BodyPlan;
  upload?: UploadPlan;
  idempotencyHeader?: string;
  /** A credential that the document declares as a header instead of a security scheme. */
  authorization?: DeclaredParameter;
}

/** One flat object: the parameters by name, and the fields of an object body beside them. */
export function readInput(operation: Operation, api: Api): OperationInput {
  const declared = declaredParameters(operation, api);
  const fields = new InputFields();
  const parameters = declared.parameters.map((parameter) =>
    addParameter(parameter, operation, { fields, api }),
  );
  const body = declaredBody(operation, declared, api);
  const { plan, limits } = body ? addBody(body, fields, api) : { plan: undefined, limits: {} };
  const upload = operation.upload && addUpload(operation.upload, plan, fields);
  const idempotencyHeader = declared.parameters.find(isIdempotencyKey)?.name;
  return {
    schema: inputSchema(fields, limits),
    parameters,
    ...(plan && { body: plan }),
    ...(upload && { upload }),
    ...(idempotencyHeader !== undefined && { idempotencyHeader }),
    ...(declared.authorization && { authorization: declared.authorization }),
  };
}

function addParameter(
  parameter: Parameter,
  { segmentParameters = [] }: Operation,
  { fields, api }: { fields: InputFields; api: Api },
): ParameterPlan {
  const { schema, plan } = readParameter(parameter, api);
  const field = fields.add(parameter.in, parameter.name, schema);
  const required = parameter.in === 'path' || isTrue(own(parameter.value, 'required'));
  // Executor supplies the idempotency key, so it is not an input field.
  if (required && !isIdempotencyKey(parameter)) fields.required.add(field);
  const segments = parameter.in === 'path' && segmentParameters.includes(parameter.name);
  return { field, ...plan, ...(segments && { segments }) };
}

function addUpload(
  { required, multipart, ...upload }: FileUpload,
  body: BodyPlan | undefined,
  fields: InputFields,
): UploadPlan {
  const field = fields.add('file', 'media', fileInput);
  if (required) fields.required.add(field);
  return { field, ...upload, multipart: multipart && body?.kind === 'json' };
}

interface ParameterRead {
  schema: JsonSchema;
  plan: Omit<ParameterPlan, 'field'>;
}

/** Cached for components, which many operations share. */
const cache = new WeakMap<object, ParameterRead>();

function readParameter(parameter: Parameter, api: Api): ParameterRead {
  const cached = parameter.shared && cache.get(parameter.value);
  if (cached) return cached;
  const schema = api.schemas.read(parameterSchema(parameter, api), 'input');
  const read = {
    schema: withDescription(schema, own(parameter.value, 'description')),
    plan: planParameter(parameter, api),
  };
  if (parameter.shared) cache.set(parameter.value, read);
  return read;
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

function isIdempotencyKey({ in: location, name }: Parameter): boolean {
  return location === 'header' && /^(x-)?idempotency-?key$/i.test(name);
}

function inputSchema(fields: InputFields, { additional, ...limits }: InputLimits): JsonSchema {
  const required = [...fields.required];
  return {
    type: 'object',
    properties: fields.properties(),
    ...(required.length > 0 && { required }),
    ...limits,
    additionalProperties: additional ?? false,
    // Responses have large integers as text too, so code can pass a value from a response to the next call.
    largeIntegers: 'text',
  };
}
