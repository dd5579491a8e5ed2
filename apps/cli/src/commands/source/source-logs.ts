import { printable } from '@executor/protocol';
import type { Environment } from '../../environment.ts';
import { connect } from '../../server/connect.ts';

export async function sourceLogs(
  environment: Environment,
  name: string,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const { items } = await client.sources.logs({ id: name });
  if (json) return environment.printJson({ items });
  for (const { at, text } of items) environment.print(`${at} ${printable(text)}`);
  if (items.length === 0) environment.printError(`${name} has written nothing since the server started.`);
}
