import { PresenceProof } from '../../answer/presence-proof.ts';
import type { Environment } from '../../environment.ts';
import { ago } from '../../output.ts';
import { completeId } from '../../server/complete-id.ts';
import { connect } from '../../server/connect.ts';
import { allItems } from '../../server/items.ts';
import { style } from '../../style.ts';

export async function listKeys(
  environment: Environment,
  { all = false, json = false }: { all?: boolean; json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const items = await allItems((page) => client.apiKeys.list(page));
  const keys = items.filter((key) => all || key.revokedAt === undefined);
  if (json) return environment.printJson({ items: keys });
  if (keys.length === 0)
    return environment.print(`There are no keys yet. \`executor keys create NAME\` creates one.`);
  environment.printTable(
    ['ID', 'NAME', 'KIND', 'DIALOG', 'ENDS IN', 'CREATED', 'LAST USED', ...(all ? ['STATE'] : [])],
    keys.map((key) => [
      key.id,
      key.name,
      key.kind,
      key.allowDialog ? 'may approve' : '-',
      key.hint,
      ago(key.createdAt),
      ago(key.lastUsedAt),
      ...(all ? [key.revokedAt === undefined ? 'live' : 'revoked'] : []),
    ]),
  );
}

export async function createKey(
  environment: Environment,
  name: string,
  {
    kind,
    allowDialog: allow = false,
    json = false,
  }: { kind: 'agent' | 'person'; allowDialog?: boolean; json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const created = await new PresenceProof(environment).for((presence) =>
    client.apiKeys.create({ name, kind, allowDialog: allow }, { presence }),
  );
  if (json) return environment.printJson(created);
  environment.print(created.key);
  environment.printError(
    style.dim(`Save it now: it is not shown again. \`executor keys rm ${created.id}\` revokes it.`),
  );
}

export async function allowDialog(
  environment: Environment,
  typedId: string,
  { off = false, json = false }: { off?: boolean; json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const id = await completeId(client, 'key', typedId);
  const key = await new PresenceProof(environment).for((presence) =>
    client.apiKeys.update({ id, allowDialog: !off }, { presence }),
  );
  if (json) return environment.printJson(key);
  environment.print(
    key.allowDialog
      ? 'The dialog of the client with this key may now approve calls.'
      : 'The dialog of the client with this key may no longer approve calls.',
  );
}

export async function removeKey(
  environment: Environment,
  typedId: string,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const id = await completeId(client, 'key', typedId);
  await new PresenceProof(environment).for((presence) => client.apiKeys.remove({ id }, { presence }));
  if (json) return environment.printJson({ id, revoked: true });
  environment.print('The key is revoked.');
}
