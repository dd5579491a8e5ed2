import {
  type Clock,
  credentialNamesOf,
  type Invocation,
  type InvocationOutcome,
  type JsonReader,
  type NewArtifact,
} from '@executor/engine';
import { deadlineOf, defaultTimeoutMs, failureOutcome } from '../../call/call-failure.ts';
import { networkOf } from '../../call/call-problems.ts';
import { withRetries } from '../../call/retry.ts';
import type { HttpClient, HttpRequest } from '../../http/http-client.ts';
import type { OperationPlan } from '../operation.ts';
import { artifactsOf, type PlannedRequest, planRequest, toHttpRequest } from '../request/build-request.ts';
import { readResponse } from '../response/read-response.ts';
import type { OpenApiSettings } from '../settings.ts';
import { credentialsOf } from './credentials.ts';

export interface CallDependencies {
  http: HttpClient;
  jsonReader: JsonReader;
  clock: Pick<Clock, 'now' | 'at'>;
  random(): number;
}

/** Sends the call of an operation. Responses and network errors are outcomes, not exceptions. */
export async function callOperation(
  invocation: Invocation & { settings: OpenApiSettings },
  signal: AbortSignal,
  dependencies: CallDependencies,
): Promise<InvocationOutcome> {
  const { tool, settings } = invocation;
  const timeoutMs = settings.timeoutMs ?? tool.timeoutMs ?? defaultTimeoutMs;
  const deadline = deadlineOf(settings, signal);
  try {
    const planned = planRequest(tool.plan as OperationPlan, invocation.input, {
      settings,
      idempotencyKey: invocation.call.id,
      schema: tool,
      credentials: credentialNamesOf(invocation.auth),
    });
    const request = toHttpRequest(planned, await readArtifacts(planned, invocation));
    const startedAt = dependencies.clock.now().getTime();
    const call = { invocation, planned, request, startedAt, timeoutMs, signal: deadline };
    let attempts = 0;
    const attemptAgain = async () => {
      if (attempts++ > 0) await invocation.allowAnswer(0);
      return attempt(call, dependencies);
    };
    return await withRetries(attemptAgain, {
      ...dependencies,
      repeatable: tool.repeatable,
      endsAt: startedAt + timeoutMs,
      signal: deadline,
    });
  } catch (error) {
    signal.throwIfAborted();
    return failureOutcome(error, invocation, { timedOut: deadline.aborted, timeoutMs });
  }
}

interface Call {
  invocation: Invocation & { settings: OpenApiSettings };
  planned: PlannedRequest;
  request: HttpRequest;
  startedAt: number;
  timeoutMs: number;
  signal: AbortSignal;
}

async function attempt(
  call: Call,
  { http, jsonReader, clock }: CallDependencies,
): Promise<InvocationOutcome> {
  const { invocation, planned, request, signal, startedAt, timeoutMs } = call;
  const { tool, settings, auth, input } = invocation;
  const credentials = credentialsOf(auth);
  const response = await http.send(request, {
    signal,
    ...networkOf(settings),
    redirects: tool.effect === 'read' ? 'read' : 'write',
    serverCa: settings.serverCa,
    ...(credentials && { credentials }),
  });
  return readResponse(response, {
    plan: tool.plan as OperationPlan,
    tool,
    input,
    requestUrl: planned.url,
    secretNames: [...Object.keys(auth.query ?? {}), ...namesIn(settings.baseUrl)],
    maxBytes: settings.maxResponseBytes,
    // Ends early enough to deliver the part that arrived.
    streamsEndAt: startedAt + Math.max(timeoutMs - 1000, timeoutMs * 0.8),
    unauthenticated: credentials === undefined,
    now: clock.now().getTime(),
    putArtifact: invocation.putArtifact,
    allowAnswer: invocation.allowAnswer,
    jsonReader,
  });
}

/** The names in the query of the base URL, whose values may be secret. */
function namesIn(baseUrl: string | undefined): string[] {
  return baseUrl === undefined ? [] : [...new URL(baseUrl).searchParams.keys()];
}

async function readArtifacts(
  planned: PlannedRequest,
  { readArtifact }: Invocation,
): Promise<Map<string, NewArtifact>> {
  const found = new Map<string, NewArtifact>();
  for (const id of artifactsOf(planned)) {
    const artifact = await readArtifact(id);
    if (artifact) found.set(id, artifact);
  }
  return found;
}
