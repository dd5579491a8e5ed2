import { type NewSource, printable } from '@executor/protocol';
import pc from 'picocolors';
import { PresenceProof } from '../answer/presence-proof.ts';
import { connect } from '../connect.ts';
import { printJson } from '../output.ts';
import { exampleCall, sourceLines } from '../source/describe.ts';
import { readPlace } from '../source/place.ts';
import { type SettingOptions, settingsOf } from '../source/settings.ts';
import { loadingMs, watchLoading } from '../source/watch-loading.ts';

interface AddOptions extends SettingOptions {
  namespace?: string;
  kind?: NewSource['kind'];
}

export async function addSource(place: string, options: AddOptions): Promise<void> {
  const { namespace, kind, baseUrl, json = false } = options;
  const request: NewSource = {
    ...(await readPlace(place)),
    ...(namespace !== undefined && { namespace }),
    ...(kind !== undefined && { kind }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(await settingsOf(options)),
  };
  const client = await connect();
  const source = await new PresenceProof().for((presence) =>
    watchLoading(client, () => client.sources.create(request, { presence, timeoutMs: loadingMs })),
  );
  if (json) return printJson(source);
  const { name, toolCount } = source;
  console.log(
    `Added ${pc.bold(source.namespace)}: ${toolCount.toLocaleString('en')} ${toolCount === 1 ? 'tool' : 'tools'} of ${printable(name)}`,
  );
  for (const line of sourceLines(source)) console.log(line);
  const example = await exampleCall(client, source).catch(() => undefined);
  if (example) console.log(`Try: ${example}`);
}
