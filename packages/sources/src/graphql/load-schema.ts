import { join } from 'node:path';
import type { LoadContext, LoadedSource } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { getIntrospectionQuery } from 'graphql';
import type { FetchDocument } from '../http/fetch-document.ts';
import { linkLocalOf } from '../http/reach.ts';
import { loadDocument } from '../reader/load-document.ts';
import { endpointOf, type GraphQlSettings, isSchemaFile } from './settings.ts';

interface LoadOptions {
  fetchDocument: FetchDocument;
  readerFolder: string;
}

/** All that the current specification describes, and what every server understands. */
const introspections = [
  getIntrospectionQuery({ oneOf: true, inputValueDeprecation: true, specifiedByUrl: true }),
  getIntrospectionQuery(),
] as const;

/** Reads a schema from a file, or asks the server for it, in a child process. */
export async function loadSchema(
  settings: GraphQlSettings,
  context: LoadContext,
  options: LoadOptions,
): Promise<LoadedSource> {
  const { url } = settings;
  const baseUrl = endpointOf(settings);
  const isServer = url !== undefined && !isSchemaFile(url);
  const loaded = isServer
    ? await introspect(settings, context, options)
    : await read(settings, context, options, undefined);
  const { baseUrl: _, ...others } = loaded;
  return { ...others, ...(baseUrl !== undefined && { baseUrl }) };
}

async function introspect(
  settings: GraphQlSettings,
  context: LoadContext,
  options: LoadOptions,
): Promise<LoadedSource> {
  const [full, plain] = introspections;
  try {
    return await read(settings, context, options, full);
  } catch (error) {
    if (!mayBeTooNew(error)) throw error;
    return read(settings, context, options, plain);
  }
}

/** An older server answers with an error if it does not know all fields of the query. */
function mayBeTooNew(error: unknown): boolean {
  if (!(error instanceof ExecutorError) || error.code !== 'unusableDocument') return false;
  const status = error.details?.status;
  return status === undefined || status === 400 || status === 422 || status === 500;
}

function read(
  settings: GraphQlSettings,
  context: LoadContext,
  { fetchDocument, readerFolder }: LoadOptions,
  introspection: string | undefined,
): Promise<LoadedSource> {
  const allowPrivateNetwork = settings.allowPrivateNetwork === true;
  const linkLocal = allowPrivateNetwork ? linkLocalOf([settings.url]) : undefined;
  // A file can be on a host that no calls go to.
  const auth = isForCalls(settings) ? context.auth : undefined;
  return loadDocument({
    format: 'graphql',
    settings,
    context,
    readerProgram: join(readerFolder, 'reader.cjs'),
    async fetchDocument(url, { signal }) {
      const { body, ...fetched } = await fetchDocument(url, {
        signal,
        allowPrivateNetwork,
        linkLocal,
        serverCa: settings.serverCa,
        ...(auth && { auth }),
        ...(introspection !== undefined && {
          post: { body: JSON.stringify({ query: introspection }), headers: settings.headers ?? {} },
        }),
      });
      return { ...fetched, bytes: body };
    },
  });
}

function isForCalls(settings: GraphQlSettings): boolean {
  const endpoint = endpointOf(settings);
  const isKnown = endpoint !== undefined && settings.url !== undefined;
  return isKnown && new URL(endpoint).origin === new URL(settings.url as string).origin;
}
