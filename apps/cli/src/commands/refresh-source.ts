import { printable, type SourceRefresh } from '@executor/protocol';
import pc from 'picocolors';
import { connect } from '../connect.ts';
import { printJson, self } from '../output.ts';
import { loadingMs, watchLoading } from '../source/watch-loading.ts';

export async function refreshSource(name: string, { json = false }: { json?: boolean }): Promise<void> {
  const client = await connect();
  const refresh = await watchLoading(client, () =>
    client.sources.refresh({ id: name }, { timeoutMs: loadingMs }),
  );
  if (json) return printJson(refresh);
  if (!refresh.unchanged) return printRefresh(refresh);
  console.log(`Nothing changed: the document of ${refresh.source.namespace} is the same.`);
}

const shownPaths = 40;

function printRefresh({ source, added, changed, removed }: SourceRefresh): void {
  const { namespace, unseenCount } = source;
  console.log(
    `Refreshed ${pc.bold(namespace)}: ${added.length} new, ${changed.length} changed, ${removed.length} gone`,
  );
  printPaths('+', added);
  printPaths('~', changed);
  printPaths('-', removed);
  if (unseenCount > 0) {
    console.log(
      `${unseenCount} of its tools need approval until you have looked: ${self} tools ls ${namespace} --only unseen, then ${self} sources edit ${namespace} --seen`,
    );
  }
}

function printPaths(mark: string, paths: string[]): void {
  for (const path of paths.slice(0, shownPaths)) console.log(`  ${mark} ${printable(path)}`);
  if (paths.length > shownPaths)
    console.log(`  ${mark} … and ${paths.length - shownPaths} more (--json has all)`);
}
