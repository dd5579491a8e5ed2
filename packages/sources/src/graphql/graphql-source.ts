import { type Clock, type JsonReader, localJsonReader, type Source, systemClock } from '@executor/engine';
import { GraphQlSettings as EnteredSettings, ExecutorError, requireSettings } from '@executor/protocol';
import { previewProblem } from '../call/preview-request.ts';
import { createFetchDocument } from '../http/fetch-document.ts';
import type { HttpClient } from '../http/http-client.ts';
import { callField, checkField } from './call-field.ts';
import { detectEndpoint } from './detect-endpoint.ts';
import { loadSchema } from './load-schema.ts';
import { planRequest, previewRequest } from './request/graphql-request.ts';
import { GraphQlSettings } from './settings.ts';

export interface GraphQlSourceOptions {
  http: HttpClient;
  /** Reads large JSON. The default reads it on this thread. */
  jsonReader?: JsonReader;
  /** Folder of `reader.cjs`, the program that reads documents. */
  readerFolder: string;
  clock?: Pick<Clock, 'now' | 'at'>;
  /** From 0 to 1. */
  random?(): number;
}

/** The source kind `graphql`: servers that describe themselves by introspection, or whose schema is in a file. */
export function createGraphQlSource(options: GraphQlSourceOptions): Source {
  const { http, jsonReader = localJsonReader, clock = systemClock, random = Math.random } = options;
  const fetchDocument = createFetchDocument(http);
  return {
    kind: 'graphql',
    describesItself: true,
    checkSettings: (settings) => requireSettings('graphql', EnteredSettings, settings),
    loadsAgain: (before, after) =>
      after.url !== before.url || (after.baseUrl === undefined && before.baseUrl !== undefined),
    detect: (url, detectOptions) => detectEndpoint(http, url, detectOptions),
    load: (settings, context) =>
      loadSchema(parseSettings(settings), context, { fetchDocument, readerFolder: options.readerFolder }),
    preview(call) {
      try {
        return previewRequest(planRequest({ ...call, settings: parseSettings(call.settings) }));
      } catch (error) {
        return previewProblem(error);
      }
    },
    check: async (call, context) => checkField({ ...call, settings: parseSettings(call.settings) }, context),
    invoke: (invocation, signal) =>
      callField({ ...invocation, settings: parseSettings(invocation.settings) }, signal, {
        http,
        jsonReader,
        clock,
        random,
      }),
  };
}

const settingsCache = new WeakMap<object, GraphQlSettings>();

/** Cached by object: each call of a source passes the same settings object. */
function parseSettings(settings: Record<string, unknown>): GraphQlSettings {
  const cached = settingsCache.get(settings);
  if (cached) return cached;
  const { success, data, error } = GraphQlSettings.safeParse(settings);
  if (!success)
    throw new ExecutorError(
      'invalidRequest',
      `The settings of this GraphQL source are invalid: ${error.message}`,
    );
  settingsCache.set(settings, data);
  return data;
}
