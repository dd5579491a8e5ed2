import type { JsonSchema } from '@executor/engine';
import { isObject, type JsonObject, own, setOwn, stringsOf, textOf } from '../../document/json.ts';
import type { FileUpload } from '../../openapi/reader/operation/operations.ts';
import { openApiSchema, requiredBy, schemaReference } from './schema.ts';

/** The names of the security schemes: OAuth with scopes, and an API key, which Google accepts for public data. */
export const oauthScheme = 'oauth2';
export const keyScheme = 'key';

/**
 * The only parameter of every method that is an input. The others are credentials (`key`, `access_token`), would make the response unreadable
 * (`alt`, `callback`, `$.xgafv`), belong to uploads (`uploadType`, `upload_protocol`), or change nothing (`prettyPrint`, `quotaUser`).
 */
const commonInput = 'fields';

export interface Method {
  value: JsonObject;
  /** Its API, resources and name: `drive.files.list`. */
  id: string;
  root: JsonObject;
}

/** The operation of OpenAPI 3.1 for a method of Discovery. */
export function openApiOperation(method: Method): JsonObject {
  const { value, root } = method;
  return {
    ...(textOf(own(value, 'description')) && { description: value.description }),
    ...(own(value, 'deprecated') === true && { deprecated: true }),
    parameters: [...parametersOf(method)],
    ...bodyOf(method),
    responses: responsesOf(value),
    ...securityOf(value, root),
  };
}

/** The file that a method accepts instead of a plain JSON body. Undefined if it accepts none. */
export function uploadOf(value: JsonObject): FileUpload | undefined {
  const simple = own(own(own(value, 'mediaUpload'), 'protocols'), 'simple');
  const path = textOf(own(simple, 'path'));
  if (own(value, 'supportsMediaUpload') !== true || path === undefined) return undefined;
  const [accepted = '*/*'] = stringsOf(own(own(value, 'mediaUpload'), 'accept'));
  return {
    path,
    mediaType: defaultTypes.get(accepted) ?? (accepted.includes('*') ? 'application/octet-stream' : accepted),
    multipart: own(simple, 'multipart') === true,
    required: own(value, 'request') === undefined,
  };
}

const defaultTypes = new Map([['message/*', 'message/rfc822']]);

/** How a method returns a file: always, or if its input asks for it. Undefined if it returns none. */
export function downloadOf(value: JsonObject): 'always' | 'onRequest' | undefined {
  if (own(value, 'supportsMediaDownload') !== true) return undefined;
  return own(value, 'response') === undefined ? 'always' : 'onRequest';
}

function* parametersOf({ value, root }: Method): Generator<JsonObject> {
  const own_ = own(value, 'parameters');
  const declared = isObject(own_) ? own_ : {};
  for (const [name, parameter] of Object.entries(declared)) yield openApiParameter(name, parameter);
  const common = own(own(root, 'parameters'), commonInput);
  if (common !== undefined && !Object.hasOwn(declared, commonInput))
    yield openApiParameter(commonInput, common);
  if (downloadOf(value) === 'onRequest' && !Object.hasOwn(declared, 'alt')) yield altParameter;
}

const altParameter = {
  name: 'alt',
  in: 'query',
  schema: { type: 'string', enum: ['json', 'media'] } satisfies JsonSchema,
  description: '"media" returns the content of the file as an artifact, and not what describes it.',
};

function openApiParameter(name: string, value: unknown): JsonObject {
  const schema = openApiSchema(value);
  const description = textOf(own(value, 'description'));
  const parameter: JsonObject = { name, in: textOf(own(value, 'location')) ?? 'query', schema };
  if (own(value, 'required') === true) parameter.required = true;
  if (description !== undefined) parameter.description = description;
  return parameter;
}

function bodyOf({ value, id, root }: Method): JsonObject {
  const request = textOf(own(own(value, 'request'), '$ref'));
  if (request === undefined) return {};
  const required = requiredBy(id, own(own(root, 'schemas'), request));
  const isRequired = required.length > 0;
  const reference = { $ref: schemaReference(request) };
  const schema = isRequired ? { allOf: [reference, { required }] } : reference;
  return { requestBody: { required: isRequired, content: { 'application/json': { schema } } } };
}

/** A download is another response, so that its output is either. */
function responsesOf(value: JsonObject): JsonObject {
  const response = textOf(own(own(value, 'response'), '$ref'));
  const download = downloadOf(value);
  const file = { content: { 'application/octet-stream': {} } };
  if (download === 'always') return { 200: file };
  const json =
    response === undefined
      ? {}
      : { content: { 'application/json': { schema: { $ref: schemaReference(response) } } } };
  return { 200: json, ...(download === 'onRequest' && { 206: file }) };
}

/** Any of the scopes is enough. Some APIs name no scopes at all, although they need a token. */
function securityOf(value: JsonObject, root: JsonObject): JsonObject {
  const scopes = scopesOf(root);
  if (scopes === undefined) return {};
  const alternatives = stringsOf(own(value, 'scopes'))
    .filter((scope) => Object.hasOwn(scopes, scope))
    .map((scope): JsonObject => ({ [oauthScheme]: [scope] }));
  const key = { [keyScheme]: [] };
  return { security: alternatives.length > 0 ? [...alternatives, key] : [key, {}] };
}

/** The scopes of an API with their descriptions. */
export function scopesOf(root: JsonObject): JsonObject | undefined {
  const declared = own(own(own(root, 'auth'), 'oauth2'), 'scopes');
  if (!isObject(declared)) return undefined;
  const scopes: JsonObject = {};
  for (const [scope, one] of Object.entries(declared))
    setOwn(scopes, scope, textOf(own(one, 'description')) ?? '');
  return scopes;
}
