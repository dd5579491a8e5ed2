import {
  type CallProblem,
  type CheckContext,
  type Clock,
  credentialNamesOf,
  type Invocation,
  type InvocationOutcome,
  type JsonReader,
  type SourceCall,
} from '@executor/engine';
import { deadlineOf, defaultTimeoutMs, failureOutcome } from '../call/call-failure.ts';
import { networkOf, privateAddress, requestProblem } from '../call/call-problems.ts';
import { RequestError } from '../call/request-error.ts';
import { withRetries } from '../call/retry.ts';
import type { HttpClient } from '../http/http-client.ts';
import { refusedByReach } from '../http/reach.ts';
import { credentialsOf } from '../openapi/call/credentials.ts';
import type { FieldPlan } from './field-plan.ts';
import { planRequest, toHttpRequest } from './request/graphql-request.ts';
import { readAnswer } from './response/read-answer.ts';
import type { GraphQlSettings } from './settings.ts';

export interface CallDependencies {
  http: HttpClient;
  jsonReader: JsonReader;
  clock: Pick<Clock, 'now' | 'at'>;
  random(): number;
}

/** Finds why a call cannot be sent, before anyone is asked to approve it. */
export function checkField(
  call: SourceCall & { settings: GraphQlSettings },
  { credentials }: CheckContext,
): CallProblem | undefined {
  try {
    const { url } = planRequest(call, credentials);
    const refused = refusedByReach(url, networkOf(call.settings));
    return refused && privateAddress(refused, call.tool.path);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return requestProblem(error);
  }
}

/** Sends the call of a root field. Responses and network errors are outcomes, not exceptions. */
export async function callField(
  invocation: Invocation & { settings: GraphQlSettings },
  signal: AbortSignal,
  { http, jsonReader, clock, random }: CallDependencies,
): Promise<InvocationOutcome> {
  const { tool, settings, auth } = invocation;
  const timeoutMs = settings.timeoutMs ?? tool.timeoutMs ?? defaultTimeoutMs;
  const deadline = deadlineOf(settings, signal);
  try {
    const request = toHttpRequest(planRequest(invocation, credentialNamesOf(auth)));
    const credentials = credentialsOf(auth);
    let attempts = 0;
    const attempt = async () => {
      if (attempts++ > 0) await invocation.allowAnswer(0);
      const response = await http.send(request, {
        signal: deadline,
        ...networkOf(settings),
        // A redirect that changes the method would lose the body.
        redirects: 'write',
        serverCa: settings.serverCa,
        ...(credentials && { credentials }),
      });
      return readAnswer(response, {
        plan: tool.plan as FieldPlan,
        maxBytes: settings.maxResponseBytes,
        jsonReader,
        unauthenticated: credentials === undefined,
        now: clock.now().getTime(),
        putArtifact: invocation.putArtifact,
        allowAnswer: invocation.allowAnswer,
      });
    };
    const endsAt = clock.now().getTime() + timeoutMs;
    return await withRetries(attempt, {
      clock,
      random,
      repeatable: tool.repeatable,
      endsAt,
      signal: deadline,
    });
  } catch (error) {
    signal.throwIfAborted();
    return failureOutcome(error, invocation, { timedOut: deadline.aborted, timeoutMs });
  }
}
