import type { Auth, CallProblem, InvocationOutcome } from '@executor/engine';
import { credentialNamesOf } from '@executor/engine';
import { createHttpClient } from '../src/http/create-http-client.ts';
import { createOpenApiSource } from '../src/openapi/openapi-source.ts';
import { startLocalServer } from './local-server.ts';
import { read, withOperation } from './read.ts';

/** One call of a tool that posts. */
export interface Attempt {
  operation: object;
  input: object;
  baseQuery?: string;
  path?: string;
  auth?: Auth;
  /** The media type of the artifact `art`, if there is one. */
  artifactType?: string;
}

export interface Attempted {
  /** What the check before any approval found. */
  problem: CallProblem | undefined;
  outcome: InvocationOutcome;
  /** The requests that the server received. */
  received: { url: string; contentType: string | undefined; body: string }[];
}

/** Checks and makes calls to a server of its own, whatever the check says. */
export async function startAttempts() {
  const http = createHttpClient();
  let received: Attempted['received'] = [];
  const server = await startLocalServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const contentType = request.headers['content-type'];
    received.push({ url: request.url ?? '', contentType, body: Buffer.concat(chunks).toString() });
    response.end('{}');
  });
  const source = createOpenApiSource({ http, readerFolder: '' });
  return {
    async attempt({
      operation,
      input,
      baseQuery = '',
      path,
      auth = {},
      artifactType,
    }: Attempt): Promise<Attempted> {
      received = [];
      const { tool } = await read(withOperation(operation, { method: 'post', ...(path && { path }) }));
      const settings = { document: '', baseUrl: server.url + baseQuery, allowPrivateNetwork: true };
      const call = { tool: tool('api.t.run'), input, settings };
      const context = {
        workspaceId: 'ws',
        credentials: credentialNamesOf(auth),
        hasArtifact: async () => artifactType !== undefined,
      };
      const problem = await source.check?.(call, context);
      const outcome = await source.invoke(
        {
          ...call,
          auth,
          call: { workspaceId: 'ws', executionId: 'exe', index: 0, attempt: 1, id: 'exe.0' },
          ask: () => Promise.reject(new Error('There is no user.')),
          putArtifact: async () => ({ artifactId: 'art', mediaType: '', bytes: 0 }),
          readArtifact: async () =>
            artifactType === undefined
              ? undefined
              : { bytes: Buffer.from('owner=eve'), mediaType: artifactType },
          sourceId: 'src',
          progress() {},
          log() {},
          allowAnswer: async () => {},
        },
        AbortSignal.timeout(20_000),
      );
      return { problem, outcome, received };
    },
    async close(): Promise<void> {
      await http.close();
      await server.close();
    },
  };
}
