import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse as parseQuery } from 'node:querystring';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { middleware } from 'express-openapi-validator';
import schemaValidator from 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
import { parse as parseNested } from 'qs';
import type { OperationPlan } from '../../src/openapi/operation.ts';
import type { JsonObject } from './document.ts';
import { operationsDocument } from './operation-document.ts';
import { needsStyleJudge, type StyleJudge, styleJudgeOf } from './style-judge.ts';

/*
 * A server that lets express-openapi-validator judge each request, independently of our code. It registers operations in batches,
 * with the components that they reference, because the validator traverses its whole document for each operation.
 *
 * The server does what the validator leaves to its users, as the specification says: it reads brackets in a query or form as nested
 * objects, parses JSON in the fields of a form, reads cookies, and reads a body by its media type. The validator cannot judge the bytes
 * of files, the types and headers of parts, text and XML, and the styles that style-judge.ts judges.
 */

export interface Judge {
  url: string;
  /** Registers operations of a document. Returns the value of the header `x-judge` for each operation. */
  register(
    document: JsonObject,
    operations: { method: string; path: string; plan: OperationPlan }[],
  ): string[];
  forget(ids: string[]): void;
  close(): Promise<void>;
}

interface Case {
  handlers: RequestHandler[];
  styleJudge: Promise<StyleJudge | undefined>;
  plan: OperationPlan;
  prefix: string;
}

export async function startJudge(): Promise<Judge> {
  const cases = new Map<string, Case>();
  const app = express();
  app.use(readCase(cases), ...bodyReaders(), parseFields, judgeStyles, judgeRequest);
  app.use(
    (
      error: { status?: number; message: string; errors?: unknown },
      _: Request,
      response: Response,
      __: NextFunction,
    ) => {
      response.status(error.status ?? 500).json({ message: error.message, issues: error.errors });
    },
  );
  // The validator may compile for seconds; idle connections must survive that.
  const server = createServer({ keepAliveTimeout: 600_000 }, app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  let count = 0;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    register(document, operations) {
      const prefixed = operations.map((operation) => ({ ...operation, prefix: `/op${count++}` }));
      const judged = operationsDocument(document, prefixed);
      const handlers = handlersOf(judged, prefixed.some(isForm));
      for (const operation of prefixed) {
        const { prefix, plan } = operation;
        // Preparing this judge takes as long as everything else, and few operations need it.
        const styleJudge = needsStyleJudge(judged, prefix)
          ? styleJudgeOf(operationsDocument(document, [operation], 'own'))
          : Promise.resolve(undefined);
        cases.set(prefix.slice(3), { handlers, styleJudge, plan, prefix });
      }
      return prefixed.map(({ prefix }) => prefix.slice(3));
    },
    forget(ids) {
      for (const id of ids) cases.delete(id);
    },
    close: () => close(server),
  };
}

// The validator compiles the schema of OpenAPI anew for each document, even if it may not check the document.
schemaValidator.OpenAPISchemaValidator = class {} as unknown as typeof schemaValidator.OpenAPISchemaValidator;

interface JudgedRequest extends Request {
  judged?: Case;
}

function readCase(cases: Map<string, Case>): RequestHandler {
  return (request: JudgedRequest, response, next) => {
    const judged = cases.get(String(request.headers['x-judge']));
    if (judged === undefined)
      return void response.status(500).json({ message: 'No operation is registered for this request.' });
    delete request.headers['x-judge'];
    request.judged = judged;
    request.url = judged.prefix + request.url;
    request.originalUrl = request.url;
    const nested = judged.plan.parameters.some(({ style }) => style === 'deepObject');
    const query = request.originalUrl.split('?')[1] ?? '';
    const value = nested ? nestedFields(query) : { ...parseQuery(query, '&', '=', { maxKeys: 0 }) };
    Object.defineProperty(request, 'query', { value, writable: true, configurable: true });
    request.cookies = cookiesOf(request.headers.cookie ?? '');
    return next();
  };
}

function bodyReaders(): RequestHandler[] {
  const limit = '50mb';
  return [
    express.json({
      limit,
      strict: false,
      type: (request) => /[/+]json\b/.test(request.headers['content-type'] ?? ''),
    }),
    express.text({
      limit,
      type: ['application/x-www-form-urlencoded', 'text/*', 'application/xml', 'application/*+xml'],
    }),
    express.raw({
      limit,
      type: (request) => !/^multipart\//.test(request.headers['content-type'] ?? 'multipart/'),
    }),
  ];
}

const parseFields: RequestHandler = (request: JudgedRequest, _, next) => {
  if (/^application\/x-www-form-urlencoded/.test(request.headers['content-type'] ?? '')) {
    const parts = Object.values(request.judged?.plan.body?.parts ?? {});
    const nested = parts.some(({ style }) => style === 'deepObject');
    const text = typeof request.body === 'string' ? request.body : '';
    request.body = nested
      ? nestedFields(text)
      : jsonFields({ ...parseQuery(text, '&', '=', { maxKeys: 0 }) });
  }
  next();
};

const judgeStyles: RequestHandler = async (request: JudgedRequest, response, next) => {
  const judge = await request.judged?.styleJudge;
  if (judge === undefined) return next();
  const message = judge(request);
  response
    .status(message === undefined ? 200 : 400)
    .json(message === undefined ? { judged: 'valid' } : { message });
};

const judgeRequest: RequestHandler = (request: JudgedRequest, response, next) => {
  const step = (index: number): void => {
    const handler = request.judged?.handlers[index];
    if (handler === undefined) return void response.json({ judged: 'valid' });
    void handler(request, response, (error?: unknown) => (error ? next(error) : step(index + 1)));
  };
  step(0);
};

export function isForm({ plan }: { plan: OperationPlan }): boolean {
  const { kind, files } = plan.body ?? {};
  return kind === 'form' || kind === 'multipart' || files !== undefined;
}

function handlersOf(document: JsonObject, areForms: boolean): RequestHandler[] {
  return middleware({
    apiSpec: document as never,
    validateApiSpec: false,
    validateSecurity: false,
    validateResponses: false,
    // The fields of a form are text, whatever their type is.
    validateRequests: { coerceTypes: areForms ? 'array' : false } as never,
    validateFormats: true,
    fileUploader: {},
  } as never);
}

function nestedFields(text: string): Record<string, unknown> {
  return parseNested(text, { depth: 60, arrayLimit: 10_000, parameterLimit: 100_000, plainObjects: false });
}

function jsonFields(fields: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) fields[name] = value.map(parseIfJson);
    else fields[name] = parseIfJson(value);
  }
  return fields;
}

function parseIfJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function cookiesOf(header: string): Record<string, string> {
  const pairs = header.split(/;\s*/).filter(Boolean);
  return Object.fromEntries(pairs.map((pair) => pair.split('=').map(decodeURIComponent) as [string, string]));
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
}
