import type { Engine } from '@executor/engine';
import type { RequestAdmission } from './admission/request-admission.ts';
import type { Handlers } from './handler.ts';
import { executionHandlers } from './handlers/executions.ts';
import { identityHandlers } from './handlers/identity.ts';
import { interactionHandlers } from './handlers/interactions.ts';
import { policyHandlers } from './handlers/policies.ts';
import { serverHandlers } from './handlers/server.ts';
import { sourceHandlers } from './handlers/sources.ts';

/** One handler per row of the route table. A missing handler does not compile. */
export function createHandlers(
  engine: Engine,
  version: string,
  admission: Pick<RequestAdmission, 'expectSession' | 'expectKey'>,
): Handlers {
  return {
    ...serverHandlers(engine, version),
    ...identityHandlers(engine, { version, admission }),
    ...executionHandlers(engine),
    ...interactionHandlers(engine),
    ...policyHandlers(engine),
    ...sourceHandlers(engine),
  };
}
