import type { CredentialNames } from '@executor/engine';
import type { HttpRequest } from '../../http/http-client.ts';
import type { OperationPlan, ParameterPlan } from '../operation.ts';
import type { OpenApiSettings } from '../settings.ts';
import { type RequestBody, requestBody } from './body.ts';
import { type Artifacts, anyBytes, type FilePart, fileBytes } from './file-input.ts';
import { checkHeader, writeCookieParameter, writeHeaderParameter } from './header-parameter.ts';
import { type InputSchema, jsonText, withIntegers } from './integer-text.ts';
import { boundaryOf, writeMultipart } from './multipart-body.ts';
import { checkHeaderNames, checkNames } from './names/check-names.ts';
import { checkFileType } from './names/file-type.ts';
import { credentialNames, declaredNames, parameterNames } from './names/sent-names.ts';
import { requestUrl } from './request-url.ts';
import { uploadRequest } from './upload.ts';

/** A planned request: its files are not read and its body is not written yet, because most plans are only checked or shown. */
export interface PlannedRequest {
  method: string;
  url: string;
  /** For people and logs: without values that may be secret. */
  shownUrl: string;
  headers: Record<string, string>;
  body?: RequestBody;
}

export interface PlanOptions {
  settings: OpenApiSettings;
  idempotencyKey: string;
  /** The schema that the input was validated with. */
  schema: InputSchema;
  /** The names of the credentials, if they are known. */
  credentials?: CredentialNames | undefined;
}

/** Plans the request for an operation, an input and settings. Throws a `RequestError` if it cannot be sent. */
export function planRequest(
  plan: OperationPlan,
  input: unknown,
  { settings, idempotencyKey, schema, credentials }: PlanOptions,
): PlannedRequest {
  const object = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  const fields = withIntegers(object, schema);
  const read = ({ field }: ParameterPlan) => (Object.hasOwn(fields, field) ? fields[field] : undefined);
  const otherFields = [...plan.parameters, ...(plan.upload ? [plan.upload] : [])];
  const parameterFields = new Set(otherFields.map(({ field }) => field));
  const written = requestBody(plan.body, fields, { parameterFields, schema });
  const { path, body } = uploadRequest(plan, fields, written.body);
  const headers = new Headers({ accept: acceptOf(plan.accept), 'user-agent': 'executor' });
  for (const parameter of plan.parameters) {
    if (parameter.in === 'header')
      headers.set(parameter.name, writeHeaderParameter(parameter, read(parameter)));
  }
  const cookies = plan.parameters
    .filter((parameter) => parameter.in === 'cookie')
    .flatMap((parameter) => writeCookieParameter(parameter, read(parameter)));
  if (cookies.length > 0) headers.set('cookie', checkHeader('cookie', cookies.join('; ')));
  if (plan.idempotencyHeader !== undefined && !headers.has(plan.idempotencyHeader))
    headers.set(plan.idempotencyHeader, checkHeader(plan.idempotencyHeader, idempotencyKey));
  if (body)
    headers.set(
      'content-type',
      checkHeader('content-type', body.type === 'file' ? mediaTypeOf(body) : body.mediaType),
    );
  for (const [name, value] of Object.entries(settings.headers ?? {})) {
    if (body?.type === 'multipart' && name.toLowerCase() === 'content-type') continue;
    headers.set(name, checkHeader(name, value));
  }
  const { url, shownUrl, names: inUrl } = requestUrl({ ...plan, path }, settings, read);
  checkHeaderNames([...headers.names(), ...(credentials?.headers ?? [])]);
  checkNames({
    sent: [...inUrl, ...parameterNames(plan.parameters, fields), ...written.names],
    declared: declaredNames(plan),
    credentials: credentialNames(credentials),
  });
  return {
    method: plan.method.toUpperCase(),
    url,
    shownUrl,
    headers: headers.toObject(),
    ...(body && { body }),
  };
}

/** The artifacts that a request needs. */
export function artifactsOf(request: PlannedRequest): string[] {
  const ids = filesOf(request).flatMap(({ content }) => ('artifact' in content ? [content.artifact] : []));
  return [...new Set(ids)];
}

export function filesOf({ body }: PlannedRequest): FilePart[] {
  if (body?.type === 'file') return [body.file];
  if (body?.type !== 'multipart') return [];
  return body.parts.flatMap(({ content }) => ('file' in content ? [content.file] : []));
}

export function toHttpRequest(
  { body, shownUrl: _, ...request }: PlannedRequest,
  artifacts: Artifacts,
): HttpRequest {
  switch (body?.type) {
    case undefined:
      return request;
    case 'json':
      return { ...request, body: jsonText(body.value) };
    case 'text':
      return { ...request, body: body.text };
    case 'multipart': {
      const boundary = boundaryOf(body.parts);
      const headers = { ...request.headers, 'content-type': `${body.mediaType}; boundary=${boundary}` };
      return { ...request, headers, body: writeMultipart(body.parts, boundary, artifacts) };
    }
    case 'file': {
      const { bytes, mediaType } = fileBytes(body.file, artifacts);
      if (request.headers['content-type'] !== anyBytes || mediaType === undefined)
        return { ...request, body: bytes };
      const type = checkFileType(mediaType, { declared: anyBytes, origin: 'The media type of the artifact' });
      return { ...request, headers: { ...request.headers, 'content-type': type }, body: bytes };
    }
  }
}

/** The file's own media type, else the one that the document declares. */
function mediaTypeOf({ file, mediaType }: Extract<RequestBody, { type: 'file' }>): string {
  return file.mediaType === undefined || file.mediaType === anyBytes ? mediaType : file.mediaType;
}

/** The first media type is preferred. */
function acceptOf(types: string[]): string {
  if (types.length === 0) return 'application/json, */*;q=0.5';
  return types
    .slice(0, 8)
    .map((type, index) => (index === 0 ? type : `${type};q=0.${9 - index}`))
    .join(', ');
}

/** Header names are case-insensitive; each is sent once, as written last. */
class Headers {
  readonly #values = new Map<string, string>();

  constructor(first: Record<string, string>) {
    for (const [name, value] of Object.entries(first)) this.set(name, value);
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string | undefined): void {
    if (value !== undefined) this.#values.set(name.toLowerCase(), value);
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  toObject(): Record<string, string> {
    return Object.fromEntries(this.#values);
  }
}
