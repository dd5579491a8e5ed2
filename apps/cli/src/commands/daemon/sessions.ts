import { browserName, ExecutorError } from '@executor/protocol';
import type { Environment } from '../../environment.ts';
import { ago } from '../../output.ts';
import { completeId } from '../../server/complete-id.ts';
import { connect } from '../../server/connect.ts';
import { allItems } from '../../server/items.ts';

export async function listSessions(
  environment: Environment,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const items = await allItems((page) => client.sessions.list(page));
  if (json) return environment.printJson({ items });
  if (items.length === 0)
    return environment.print('No browser is signed in. `executor web` opens the web UI, signed in.');
  environment.printTable(
    ['ID', 'BROWSER', 'SIGNED IN', 'LAST USED'],
    items.map(({ id, userAgent, openedAt, lastUsedAt }) => [
      id,
      browserName(userAgent),
      ago(openedAt),
      ago(lastUsedAt),
    ]),
  );
}

export async function removeSession(
  environment: Environment,
  typedId: string | undefined,
  { all = false, json = false }: { all?: boolean; json?: boolean },
): Promise<void> {
  if (all === (typedId !== undefined)) {
    throw new ExecutorError(
      'usage',
      'Give the ID of one session, or --all. `executor sessions ls` lists them.',
    );
  }
  const client = await connect(environment);
  if (typedId === undefined) {
    const { ended } = await client.sessions.removeAll();
    if (json) return environment.printJson({ ended });
    return environment.print(ended === 1 ? '1 session is ended.' : `${ended} sessions are ended.`);
  }
  const id = await completeId(client, 'session', typedId);
  await client.sessions.remove({ id });
  if (json) return environment.printJson({ id, ended: true });
  environment.print('The session is ended.');
}
