import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type Clock,
  type JsonReader,
  type LoadContext,
  type LoadedSource,
  localJsonReader,
  type Source,
  type SourceSettings,
  systemClock,
} from '@executor/engine';
import { OpenApiSettings as EnteredSettings, ExecutorError, requireSettings } from '@executor/protocol';
import type * as z from 'zod';
import { previewProblem, previewRequest } from '../call/preview-request.ts';
import { createFetchDocument, type FetchDocument } from '../http/fetch-document.ts';
import type { HttpClient } from '../http/http-client.ts';
import { probeDocuments } from '../http/probe.ts';
import { linkLocalOf } from '../http/reach.ts';
import { loadDocument } from '../reader/load-document.ts';
import type { DocumentFormat } from '../reader/messages.ts';
import { callOperation } from './call/call-operation.ts';
import { checkCall } from './call/check-call.ts';
import { worstOf } from './method-effect.ts';
import { methodOverrides } from './method-overrides.ts';
import type { OperationPlan } from './operation.ts';
import { planRequest } from './request/build-request.ts';
import { OpenApiSettings } from './settings.ts';

export interface OpenApiSourceOptions {
  http: HttpClient;
  /** Reads large JSON. The default reads it on this thread. */
  jsonReader?: JsonReader;
  /** Folder of `reader.cjs`, the program that reads documents. */
  readerFolder: string;
  clock?: Pick<Clock, 'now' | 'at'>;
  /** From 0 to 1. */
  random?(): number;
}

/** The source kind `openapi`: APIs described by an OpenAPI document. */
export function createOpenApiSource(options: OpenApiSourceOptions): Source {
  const { http } = options;
  return createDocumentSource(options, {
    kind: 'openapi',
    settings: EnteredSettings,
    async detect(url, options) {
      if (!URL.canParse(url)) return undefined;
      const found = await probeDocuments(http, url, options);
      if (found.length === 0) return undefined;
      return found.map(({ url: documentUrl, ...facts }) => ({
        settings: { url: documentUrl },
        ...facts,
        transport: 'http',
      }));
    },
  });
}

/** What kinds whose documents describe HTTP requests differ in. */
interface DocumentKind {
  kind: DocumentFormat;
  /** Of the settings that a user enters. */
  settings: z.ZodType;
  detect: NonNullable<Source['detect']>;
}

/** A source kind whose documents the reader of OpenAPI reads. */
export function createDocumentSource(
  options: OpenApiSourceOptions,
  { kind, settings: entered, detect }: DocumentKind,
): Source {
  const { http, jsonReader = localJsonReader, clock = systemClock, random = Math.random } = options;
  const fetchDocument = createFetchDocument(http);
  return {
    kind,
    checkSettings: (settings) => requireSettings(kind, entered, settings),
    loadsAgain,
    movesCalls: (before, after) => !isDeepStrictEqual(before.serverVariables, after.serverVariables),
    detect,
    load: (settings, context) =>
      load(parseSettings(settings), context, {
        fetchDocument,
        format: kind,
        readerFolder: options.readerFolder,
      }),
    worstEffect(tool, settings) {
      const overrides = methodOverrides(tool.plan as OperationPlan, tool, settings as OpenApiSettings);
      return overrides.length === 0 ? tool : worstOf(overrides, tool);
    },
    preview({ tool, input, settings }) {
      try {
        const idempotencyKey = '(the id of the call)';
        const plan = tool.plan as OperationPlan;
        return previewRequest(
          planRequest(plan, input, { settings: parseSettings(settings), idempotencyKey, schema: tool }),
        );
      } catch (error) {
        return previewProblem(error);
      }
    },
    check: (call, context) => checkCall({ ...call, settings: parseSettings(call.settings) }, context),
    invoke: (invocation, signal) =>
      callOperation({ ...invocation, settings: parseSettings(invocation.settings) }, signal, {
        http,
        jsonReader,
        clock,
        random,
      }),
  };
}

/** The settings with which the document is read. It also has the base URL that applies when the user's one is removed. */
function loadsAgain(before: SourceSettings, after: SourceSettings): boolean {
  return (
    after.url !== before.url ||
    (after.baseUrl === undefined && before.baseUrl !== undefined) ||
    !isDeepStrictEqual(after.serverVariables ?? {}, before.serverVariables ?? {}) ||
    !isDeepStrictEqual(after.externalReferences ?? false, before.externalReferences ?? false)
  );
}

async function load(
  settings: OpenApiSettings,
  context: LoadContext,
  {
    fetchDocument,
    format,
    readerFolder,
  }: { fetchDocument: FetchDocument; format: DocumentFormat; readerFolder: string },
): Promise<LoadedSource> {
  const allowPrivateNetwork = settings.allowPrivateNetwork === true;
  const linkLocal = allowPrivateNetwork ? linkLocalOf([settings.url]) : undefined;
  return loadDocument({
    format,
    settings,
    context,
    readerProgram: join(readerFolder, 'reader.cjs'),
    async fetchDocument(url, { signal }) {
      // Referenced documents on other origins get no credentials and only the default certificate authorities.
      const isOwn = settings.url !== undefined && new URL(url).origin === new URL(settings.url).origin;
      const auth = isOwn ? context.auth : undefined;
      const { body, ...fetched } = await fetchDocument(url, {
        signal,
        allowPrivateNetwork,
        linkLocal,
        serverCa: isOwn ? settings.serverCa : undefined,
        ...(auth && { auth }),
      });
      return { ...fetched, bytes: body };
    },
  });
}

const settingsCache = new WeakMap<object, OpenApiSettings>();

/** Cached by object: each call of a source passes the same settings object. */
function parseSettings(settings: Record<string, unknown>): OpenApiSettings {
  const cached = settingsCache.get(settings);
  if (cached) return cached;
  const { success, data, error } = OpenApiSettings.safeParse(settings);
  if (!success) {
    throw new ExecutorError(
      'invalidRequest',
      `The settings of this OpenAPI source are invalid: ${error.message}`,
    );
  }
  settingsCache.set(settings, data);
  return data;
}
