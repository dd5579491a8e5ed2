import type { SourceRefresh } from '@executor/protocol';
import { PresenceProof } from '../../answer/presence-proof.ts';
import type { Environment } from '../../environment.ts';
import { connect } from '../../server/connect.ts';
import { countsText, printDifference, unseenText } from '../../source/difference.ts';
import { loadingMs, watchLoading } from '../../source/watch-loading.ts';
import { style } from '../../style.ts';

export async function refreshSource(
  environment: Environment,
  name: string,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const refresh = await new PresenceProof(environment).for((presence) =>
    watchLoading(environment, client, () =>
      client.sources.refresh({ id: name }, { presence, timeoutMs: loadingMs }),
    ),
  );
  if (json) return environment.printJson(refresh);
  if (refresh.unchanged)
    environment.print(`Nothing changed: the document of ${refresh.source.namespace} is the same.`);
  else printRefresh(environment, refresh);
  if (refresh.note !== undefined) environment.print(refresh.note);
}

function printRefresh(environment: Environment, { source, ...difference }: SourceRefresh): void {
  environment.print(`Refreshed ${style.bold(source.namespace)}: ${countsText(difference)}`);
  printDifference(environment, difference);
  if (source.unseenCount > 0) environment.print(unseenText(source));
}
