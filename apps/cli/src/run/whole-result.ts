import { type Execution, toExecutorError } from '@executor/protocol';
import { showText } from '../output.ts';
import type { SteadyServer } from './steady-server.ts';

/**
 * A finished run with all of its result: what is piped or asked for as JSON is a program's, which could not tell that it was cut. Where
 * all of it cannot be had, what there is of it is not lost as well, and the exit code tells.
 */
export async function withWholeResult(
  execution: Execution,
  server: Pick<SteadyServer, 'request'>,
  { json }: { json: boolean },
): Promise<Execution> {
  const { artifactId } = execution.omitted?.result ?? {};
  if (artifactId === undefined || (!json && process.stdout.isTTY)) return execution;
  try {
    const { bytes } = await server.request((client) => client.artifacts.get({ id: artifactId }));
    return withResult(execution, JSON.parse(new TextDecoder().decode(bytes)));
  } catch (thrown) {
    process.exitCode = 1;
    showText(`All of the result could not be fetched. ${toExecutorError(thrown).message}`);
    return execution;
  }
}

function withResult(execution: Execution, result: unknown): Execution {
  const { result: _, ...omitted } = execution.omitted ?? {};
  const { omitted: __, ...rest } = execution;
  return { ...rest, result, ...(Object.keys(omitted).length > 0 && { omitted }) };
}
