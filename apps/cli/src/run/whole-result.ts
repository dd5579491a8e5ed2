import { type Execution, toExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import type { SteadyServer } from './steady-server.ts';

/**
 * A finished run with all of its result: what is piped or asked for as JSON is a program's, which could not tell that it was cut. Where
 * all of it cannot be had, what there is of it is not lost as well, and the exit code tells.
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
    environment.note(`All of the result could not be fetched. ${toExecutorError(thrown).message}`);
    return execution;
  }
}

function withResult(execution: Execution, result: unknown): Execution {
  const { result: _, ...omitted } = execution.omitted ?? {};
  const { omitted: __, ...rest } = execution;
  return { ...rest, result, ...(Object.keys(omitted).length > 0 && { omitted }) };
}
