import { cut } from '../../response/error-message.ts';

/** An error in a GraphQL response, as far as it has the specified form. */
export interface GraphQlError {
  message: string;
  /** The position in the result: `repository.issues.nodes.0.title`. */
  path?: string;
  code?: string;
}

const maxErrors = 20;
const maxMessageChars = 1_000;
const maxPathSegments = 50;
const maxChars = 1024 * 1024;

/** The errors of a response. A server may write anything there, so anything but null and an empty list counts as an error. */
export function graphQlErrors(json: string | undefined): { errors: GraphQlError[]; count: number } {
  if (json === undefined || json === 'null' || json === '[]') return { errors: [], count: 0 };
  const value: unknown = json.length > maxChars ? undefined : JSON.parse(json);
  const list = Array.isArray(value) ? value : [value];
  return { errors: list.slice(0, maxErrors).map(errorOf), count: list.length };
}

function errorOf(value: unknown): GraphQlError {
  const message = typeof value === 'string' ? value : own(value, 'message');
  const path = pathOf(own(value, 'path'));
  const code = own(own(value, 'extensions'), 'code') ?? own(value, 'type') ?? own(value, 'code');
  return {
    message:
      typeof message === 'string' && message !== ''
        ? cut(message, maxMessageChars)
        : 'The server reports an error',
    ...(path !== '' && { path }),
    ...(typeof code === 'string' && code !== '' && { code: code.slice(0, 100) }),
  };
}

function pathOf(value: unknown): string {
  const segments = Array.isArray(value) ? value.slice(0, maxPathSegments) : [];
  return segments
    .filter((segment) => typeof segment === 'string' || typeof segment === 'number')
    .map((segment) => String(segment).slice(0, 100))
    .join('.');
}

function own(value: unknown, key: string): unknown {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** `Could not resolve to a User (at user), and 2 more errors` */
export function errorSentence({ errors, count }: ReturnType<typeof graphQlErrors>): string {
  const [first] = errors;
  const text = (first?.message ?? '').replace(/[.\s]+$/, '');
  const place = first?.path === undefined ? '' : ` (at ${first.path})`;
  const more = count > 1 ? `, and ${count - 1} more ${count === 2 ? 'error' : 'errors'}` : '';
  return `${text}${place}${more}`;
}
