import type { Request } from 'express';
import enforcer from 'openapi-enforcer';
import type { JsonObject } from './document.ts';

/*
 * express-openapi-validator reads objects only in queries and bodies, and does not know `label` and `matrix`. openapi-enforcer judges
 * operations with such parameters. It knows all styles of OpenAPI 3.0, but rejects most real documents because of unrelated faults.
 * Neither of them reads objects with delimiters, or exploded objects in cookies.
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

// Its types lack the option `fullResult`.
const enforce = enforcer as unknown as Enforcer;

/** Returns the fault of a request; undefined if it is valid. */
export type StyleJudge = (request: Request) => string | undefined;

/** Whether express-openapi-validator cannot judge the operation whose path has this prefix. */
export function needsStyleJudge({ paths }: JsonObject, prefix: string): boolean {
  const [, item] = Object.entries(paths as object).find(([path]) => path.startsWith(`${prefix}/`)) ?? [];
  const [operation] = Object.values((item ?? {}) as Record<string, JsonObject>);
  return ((operation?.parameters ?? []) as JsonObject[]).some(needsEnforcer);
}

/** The judge for a document of one operation. Undefined if openapi-enforcer rejects the document. */
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

function needsEnforcer({ in: location, style, schema }: JsonObject): boolean {
  const isObject = (schema as JsonObject | undefined)?.type === 'object';
  return style === 'label' || style === 'matrix' || (isObject && location !== 'query');
}

function judge({ method, originalUrl, headers: all }: Request, enforced: Enforced): string | undefined {
  const { host: _, connection: __, ...headers } = all;
  const [, error] = enforced.request({ method, path: originalUrl, headers });
  return error?.toString().replace(/\s+/g, ' ');
}
