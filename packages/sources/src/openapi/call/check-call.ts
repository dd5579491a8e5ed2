import type { CallProblem, CheckContext, SourceCall } from '@executor/engine';
import { linkLocalOf, type Network, refusedByReach } from '../../http/reach.ts';
import { privateAddressSentence } from '../../http/unreachable-error.ts';
import type { OperationPlan } from '../operation.ts';
import { artifactsOf, filesOf, planRequest } from '../request/build-request.ts';
import { checkBase64, noSuchArtifact } from '../request/file-input.ts';
import { RequestError } from '../request/request-error.ts';
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

type NetworkSettings = Pick<OpenApiSettings, 'allowPrivateNetwork' | 'allowThisMachine' | 'baseUrl' | 'url'>;

/** The network reach of a source's calls. */
export function networkOf({ allowPrivateNetwork, allowThisMachine, baseUrl, url }: NetworkSettings): Network {
  return {
    allowPrivateNetwork: allowPrivateNetwork === true,
    allowThisMachine: allowThisMachine === true,
    linkLocal: linkLocalOf([baseUrl, url]),
  };
}

export function privateAddress(refused: { host: string; address: string }, path: string): CallProblem {
  const [namespace = ''] = path.split('.');
  const message = privateAddressSentence(refused, namespace);
  return { type: 'error', message, details: { code: 'privateAddress' } };
}

export function requestProblem({ message }: RequestError): CallProblem {
  return { type: 'error', message, details: { code: 'invalidRequest' } };
}
