import { type Execution, toExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import type { SteadyServer } from './steady-server.ts';

/**
 * A finished run with its complete result. Piped output and JSON are for programs, which could not detect a cut. If the complete result
 * cannot be fetched, the cut one is printed and the exit code is 1.
 */
export async function withWholeResult(
  environment: Environment,
  execution: Execution,
  server: Pick<SteadyServer, 'request'>,
  { json }: { json: boolean },
): Promise<Execution> {
  const { artifactId } = execution.omitted?.result ?? {};
  if (artifactId === undefined || (!json && environment.stdout.isTTY)) return execution;
  try {
    const { bytes } = await server.request((client) => client.artifacts.get({ id: artifactId }));
    return withResult(execution, JSON.parse(new TextDecoder().decode(bytes)));
  } catch (thrown) {
    environment.exitCode = 1;
    environment.note(`The complete result could not be fetched. ${toExecutorError(thrown).message}`);
    return execution;
  }
}

function withResult(execution: Execution, result: unknown): Execution {
  const { result: _, ...omitted } = execution.omitted ?? {};
  const { omitted: __, ...rest } = execution;
  return { ...rest, result, ...(Object.keys(omitted).length > 0 && { omitted }) };
}
