import type { CallProblem, CheckContext, SourceCall } from '@executor/engine';
import { networkOf, privateAddress, requestProblem } from '../../call/call-problems.ts';
import { RequestError } from '../../call/request-error.ts';
import { refusedByReach } from '../../http/reach.ts';
import type { OperationPlan } from '../operation.ts';
import { artifactsOf, filesOf, planRequest } from '../request/build-request.ts';
import { checkBase64, noSuchArtifact } from '../request/file-input.ts';
import type { OpenApiSettings } from '../settings.ts';

/** Finds why a request cannot be sent, before anyone is asked to approve it. */
export async function checkCall(
  { tool, input, settings }: SourceCall & { settings: OpenApiSettings },
  { hasArtifact, credentials }: CheckContext,
): Promise<CallProblem | undefined> {
  try {
    const planned = planRequest(tool.plan as OperationPlan, input, {
      settings,
      idempotencyKey: 'key',
      schema: tool,
      credentials,
    });
    const refused = refusedByReach(planned.url, networkOf(settings));
    if (refused) return privateAddress(refused, tool.path);
    for (const { content } of filesOf(planned)) if ('base64' in content) checkBase64(content.base64);
    for (const id of artifactsOf(planned)) if (!(await hasArtifact(id))) throw noSuchArtifact(id);
    return undefined;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return requestProblem(error);
  }
}
