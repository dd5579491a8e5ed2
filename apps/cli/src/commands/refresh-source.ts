import type { SourceRefresh } from '@executor/protocol';
import pc from 'picocolors';
import { PresenceProof } from '../answer/presence-proof.ts';
import { connect } from '../connect.ts';
import { printJson } from '../output.ts';
import { countsText, printDifference, unseenText } from '../source/difference.ts';
import { loadingMs, watchLoading } from '../source/watch-loading.ts';

export async function refreshSource(name: string, { json = false }: { json?: boolean }): Promise<void> {
  const client = await connect();
  const refresh = await new PresenceProof().for((presence) =>
    watchLoading(client, () => client.sources.refresh({ id: name }, { presence, timeoutMs: loadingMs })),
  );
  if (json) return printJson(refresh);
  if (refresh.unchanged)
    console.log(`Nothing changed: the document of ${refresh.source.namespace} is the same.`);
  else printRefresh(refresh);
  if (refresh.note !== undefined) console.log(refresh.note);
}

function printRefresh({ source, ...difference }: SourceRefresh): void {
  console.log(`Refreshed ${pc.bold(source.namespace)}: ${countsText(difference)}`);
  printDifference(difference);
  if (source.unseenCount > 0) console.log(unseenText(source));
}
