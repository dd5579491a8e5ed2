import type { CallProblem, SourceSettings } from '@executor/engine';
import { linkLocalOf, type Network } from '../http/reach.ts';
import { privateAddressSentence } from '../http/unreachable-error.ts';
import type { RequestError } from './request-error.ts';

type NetworkSettings = Pick<SourceSettings, 'allowPrivateNetwork' | 'allowThisMachine' | 'baseUrl' | 'url'>;

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
