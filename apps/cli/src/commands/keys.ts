import type { ApiKey } from '@executor/protocol';
import pc from 'picocolors';
import { PresenceProof } from '../answer/presence-proof.ts';
import { connect } from '../connect.ts';
import { ago, printJson, printTable, self } from '../output.ts';

export async function listKeys({
  all = false,
  json = false,
}: {
  all?: boolean;
  json?: boolean;
}): Promise<void> {
  const client = await connect();
  const keys: ApiKey[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.apiKeys.list({ limit: 200, cursor });
    keys.push(...page.items.filter((key) => all || key.revokedAt === undefined));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  if (json) return printJson({ items: keys });
  if (keys.length === 0) return console.log(`There are no keys yet. \`${self} keys create NAME\` makes one.`);
  printTable(
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
  name: string,
  {
    kind,
    allowDialog: allow = false,
    json = false,
  }: { kind: 'agent' | 'person'; allowDialog?: boolean; json?: boolean },
): Promise<void> {
  const client = await connect();
  const created = await new PresenceProof().for((presence) =>
    client.apiKeys.create({ name, kind, allowDialog: allow }, { presence }),
  );
  if (json) return printJson(created);
  console.log(created.key);
  console.error(pc.dim(`Keep it now: it is not shown again. \`${self} keys rm ${created.id}\` revokes it.`));
}

export async function allowDialog(
  id: string,
  { off = false, json = false }: { off?: boolean; json?: boolean },
): Promise<void> {
  const client = await connect();
  const key = await new PresenceProof().for((presence) =>
    client.apiKeys.update({ id, allowDialog: !off }, { presence }),
  );
  if (json) return printJson(key);
  console.log(
    key.allowDialog
      ? 'Approvals may be answered in the dialog of the client that holds this key.'
      : 'The dialog of the client that holds this key approves nothing.',
  );
}

export async function removeKey(id: string, { json = false }: { json?: boolean }): Promise<void> {
  const client = await connect();
  await new PresenceProof().for((presence) => client.apiKeys.remove({ id }, { presence }));
  if (json) return printJson({ id, revoked: true });
  console.log('The key is revoked.');
}
