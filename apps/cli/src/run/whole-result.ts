import type { Client } from '@executor/client';
import type { Execution } from '@executor/protocol';

/** A finished run with all of its result: what is piped or asked for as JSON is a program's, which could not tell that it was cut. */
export async function withWholeResult(
  execution: Execution,
  client: Client,
  { json }: { json: boolean },
): Promise<Execution> {
  const { artifactId } = execution.omitted?.result ?? {};
  if (artifactId === undefined || (!json && process.stdout.isTTY)) return execution;
  const { bytes } = await client.artifacts.get({ id: artifactId });
  const { result: _, ...omitted } = execution.omitted ?? {};
  const { omitted: __, ...rest } = execution;
  const result: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return { ...rest, result, ...(Object.keys(omitted).length > 0 && { omitted }) };
}
