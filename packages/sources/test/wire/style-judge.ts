import type { Request } from 'express';
import enforcer from 'openapi-enforcer';
import type { JsonObject } from './document.ts';

/*
 * The first judge reads objects in no place but queries and bodies, and knows neither `label` nor `matrix`. Operations that have such parameters are
 * judged by openapi-enforcer, which knows all styles of OpenAPI 3.0, but refuses most real documents for what is wrong elsewhere in them.
 * Neither of them reads objects with delimiters, or exploded ones in cookies.
 */

interface Enforced {
  request(request: {
    method: string;
    path: string;
    headers: object;
  }): [request: unknown, error?: { toString(): string }];
}
type Enforcer = (
  document: unknown,
  options: { fullResult: true },
) => Promise<[document: Enforced | undefined]>;

// Its own types leave out that a whole result can be asked for.
const enforce = enforcer as unknown as Enforcer;

/** What is wrong with a request; undefined where nothing is. */
export type StyleJudge = (request: Request) => string | undefined;

/** Whether the operation whose path has this prefix is beyond the first judge. */
export function needsStyleJudge({ paths }: JsonObject, prefix: string): boolean {
  const [, item] = Object.entries(paths as object).find(([path]) => path.startsWith(`${prefix}/`)) ?? [];
  const [operation] = Object.values((item ?? {}) as Record<string, JsonObject>);
  return ((operation?.parameters ?? []) as JsonObject[]).some(isBeyondTheFirst);
}

/** For a document of one operation. Undefined where this judge cannot do it either. */
export async function styleJudgeOf(document: JsonObject): Promise<StyleJudge | undefined> {
  const [[path, item] = ['', {}]] = Object.entries(
    document.paths as Record<string, Record<string, JsonObject>>,
  );
  const [[method, operation] = ['', {}]] = Object.entries(item);
  const { requestBody: _, ...request } = operation;
  const [enforced] = await enforce(
    { ...document, openapi: '3.0.3', paths: { [path]: { [method]: request } } },
    { fullResult: true },
  );
  return enforced && ((sent) => judge(sent, enforced));
}

function isBeyondTheFirst({ in: place, style, schema }: JsonObject): boolean {
  const isObject = (schema as JsonObject | undefined)?.type === 'object';
  return style === 'label' || style === 'matrix' || (isObject && place !== 'query');
}

function judge({ method, originalUrl, headers: all }: Request, enforced: Enforced): string | undefined {
  const { host: _, connection: __, ...headers } = all;
  const [, error] = enforced.request({ method, path: originalUrl, headers });
  return error?.toString().replace(/\s+/g, ' ');
}
