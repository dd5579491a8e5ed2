import { ExecutorError, printable, type Source } from '@executor/protocol';
import { PresenceProof } from '../../answer/presence-proof.ts';
import type { Environment } from '../../environment.ts';
import { connect } from '../../server/connect.ts';

interface RemoveOptions {
  yes?: boolean;
  json?: boolean;
}

/** Disconnects a source after asking, because its settings and credentials are lost. */
export async function removeSource(
  environment: Environment,
  name: string,
  { yes = false, json = false }: RemoveOptions,
): Promise<void> {
  if (!yes && (json || !environment.isInteractive))
    throw new ExecutorError(
      'usage',
      `Nothing was removed. Add --yes to remove ${name} with its tools and credentials.`,
    );
  const client = await connect(environment);
  const source = await client.sources.get({ id: name });
  if (!yes && !(await confirmed(environment, source))) {
    environment.exitCode = 1;
    return environment.printError('Nothing was removed.');
  }
  await new PresenceProof(environment).for((presence) =>
    client.sources.remove({ id: source.id }, { presence }),
  );
  if (json) return environment.printJson({ source: name, removed: true });
  environment.print(`Removed ${printable(name)} and its tools.`);
}

async function confirmed(environment: Environment, { namespace, name, toolCount }: Source): Promise<boolean> {
  const { agree } = await import('../../answer/prompts.ts');
  const tools = `${toolCount.toLocaleString('en')} ${toolCount === 1 ? 'tool' : 'tools'}`;
  return agree(
    environment,
    printable(`Remove ${namespace} (${name}) with its ${tools}, settings and credentials?`),
  );
}
