import type { Environment } from '../../environment.ts';
import { connect } from '../../server/connect.ts';

/** Lists the well-known systems that can be added by name. */
export async function listProviders(
  environment: Environment,
  query: string | undefined,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const { items } = await client.sources.providers(query === undefined ? {} : { query });
  if (json) return environment.printJson({ items });
  if (items.length === 0)
    return environment.print('No provider matches. `executor sources add URL` adds any other system.');
  environment.printTable(
    ['NAME', 'SYSTEM', 'KIND', 'AUTH', 'GROUP', 'GET A KEY'],
    items.map(({ name, title, kind, auth, group, keyUrl = '' }) => [name, title, kind, auth, group, keyUrl]),
  );
}
