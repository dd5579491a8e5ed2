/** The error as the API describes it. */
export interface ApiError {
  message?: string;
  code?: string;
}

const maxMessageChars = 1000;
const maxDepth = 4;

/**
 * Finds the message in common shapes: RFC 9457 problems, `{ error: { message } }`, `{ message }`, `{ errors: […] }`, `{ error, error_description }`,
 * `{ detail }`, lists of those, and plain text.
 */
export function apiErrorOf(body: unknown, status: number): ApiError {
  const message = messageOf(body, 0);
  const code = codeOf(body, status, 0);
  return {
    ...(message !== undefined && { message: cut(message, maxMessageChars) }),
    ...(code !== undefined && { code }),
  };
}

/** In order of preference. */
const messageKeys = [
  'error_description',
  'detail',
  'message',
  'Message',
  'errorMessage',
  'error_message',
  'msg',
  'errmsg',
  'faultstring',
  'developerMessage',
  'userMessage',
  'description',
  'reason',
  'title',
  'error_summary',
  'statusText',
];
const wrapperKeys = ['error', 'errors', 'Error', 'fault', 'Fault', 'meta', 'status', 'response', 'data'];

function messageOf(body: unknown, depth: number): string | undefined {
  if (typeof body === 'string') return body.trim() === '' ? undefined : body.trim();
  if (typeof body !== 'object' || body === null || depth > maxDepth) return undefined;
  if (Array.isArray(body)) return joined(body.slice(0, 3).map((item) => messageOf(item, depth + 1)));
  const object = body as Record<string, unknown>;
  const own = ownMessage(object, depth);
  if (own !== undefined) return withIssues(own, object, depth);
  for (const key of wrapperKeys) {
    const inner = Object.hasOwn(object, key) ? messageOf(object[key], depth + 1) : undefined;
    if (inner !== undefined && !/^\d+$/.test(inner)) return inner;
  }
  return fieldMessages(object, depth);
}

function ownMessage(object: Record<string, unknown>, depth: number): string | undefined {
  for (const key of messageKeys) {
    if (!Object.hasOwn(object, key)) continue;
    const value = object[key];
    // A list under another key describes the field of that name.
    if (typeof value !== 'string' && key !== 'detail' && key !== 'message') continue;
    const text = messageOf(value, depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Field errors, appended to the general message. */
function withIssues(message: string, object: Record<string, unknown>, depth: number): string {
  const { errors } = object;
  const issues = Array.isArray(errors)
    ? joined(errors.slice(0, 3).map((issue) => issueText(issue, depth + 1)))
    : typeof errors === 'object' && errors !== null
      ? fieldMessages(errors as Record<string, unknown>, depth + 1)
      : undefined;
  return issues === undefined || message.includes(issues)
    ? message
    : `${message.replace(/[.:]$/, '')}: ${issues}`;
}

function issueText(issue: unknown, depth: number): string | undefined {
  const message = messageOf(issue, depth);
  if (typeof issue !== 'object' || issue === null) return message;
  const { field, path, loc, code } = issue as Record<string, unknown>;
  const location = [field, path, loc].find((one) => typeof one === 'string' || Array.isArray(one));
  const name = Array.isArray(location) ? location.join('.') : location;
  const text = message ?? (typeof code === 'string' ? code : undefined);
  return name && text && !text.includes(String(name)) ? `${name} ${text}` : text;
}

/** `{ title: ["can't be blank"] }`. */
function fieldMessages(object: Record<string, unknown>, depth: number): string | undefined {
  const entries = Object.entries(object).slice(0, 20);
  const lists = entries.filter(
    ([, value]) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  );
  if (depth === 0 && lists.length !== entries.length) return undefined;
  return joined(
    lists.slice(0, 3).map(([name, list]) => `${name} ${(list as string[]).slice(0, 2).join(', ')}`),
  );
}

function joined(texts: (string | undefined)[]): string | undefined {
  const present = texts.filter((text) => text !== undefined);
  return present.length === 0 ? undefined : present.join('; ');
}

const codeKeys = ['code', 'errorCode', 'error_code', 'Code', 'error', 'type', 'status', 'reason', 'errcode'];

/** A machine-readable error code. A status or a URL is not one. */
function codeOf(body: unknown, status: number, depth: number): string | undefined {
  if (typeof body !== 'object' || body === null || depth > maxDepth) return undefined;
  if (Array.isArray(body)) return codeOf(body[0], status, depth + 1);
  const object = body as Record<string, unknown>;
  for (const key of codeKeys) {
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    if (typeof value === 'number' && value !== status && key !== 'status') return String(value);
    if (typeof value === 'string' && isCode(value, status)) return value;
  }
  for (const key of wrapperKeys) {
    const inner = Object.hasOwn(object, key) ? codeOf(object[key], status, depth + 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function isCode(value: string, status: number): boolean {
  return (
    /^[A-Za-z0-9][\w.:-]{0,79}$/.test(value) &&
    value !== String(status) &&
    // RFC 9457: `about:blank` means nothing beyond the status.
    value !== 'about:blank' &&
    !/^(error|fail|failed|failure)$/i.test(value)
  );
}

export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
}
