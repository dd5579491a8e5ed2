import { ExecutorError, type Presence } from '@executor/protocol';
import { PresenceProof } from '../../answer/presence-proof.ts';
import type { Environment } from '../../environment.ts';
import { connect } from '../../server/connect.ts';

export async function showPresence(
  environment: Environment,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const presence = await client.presence.get();
  if (json) return environment.printJson(presence);
  environment.print(presenceSentence(presence));
}

function presenceSentence({ mode, lockedUntil }: Presence): string {
  if (mode === 'off')
    return `Presence is off: any program that can read this user's files can answer. \`executor presence pin\` sets a PIN.`;
  const locked = lockedUntil ? ` After too many wrong PINs, none is accepted until ${lockedUntil}.` : '';
  return `Presence is on: answering, and changing rules and keys, needs a PIN.${locked}`;
}

export async function turnPresenceOff(
  environment: Environment,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const presence = await new PresenceProof(environment).for((proof) =>
    client.presence.update({ mode: 'off' }, { presence: proof }),
  );
  if (json) return environment.printJson(presence);
  environment.print('Presence is off.');
}

export async function setPin(environment: Environment, { json = false }: { json?: boolean }): Promise<void> {
  if (!environment.isInteractive)
    throw new ExecutorError('usage', 'Set the PIN at a terminal, where it is not shown as you type.');
  const client = await connect(environment);
  const pin = await newPin(environment);
  if (pin === undefined) throw new ExecutorError('usage', 'No PIN was set.');
  const presence = await new PresenceProof(environment).for((proof) =>
    client.presence.update({ mode: 'pin', pin }, { presence: proof }),
  );
  if (json) return environment.printJson(presence);
  environment.print('Presence is on: answering, and changing rules and keys, now needs this PIN.');
}

/** Asks twice, because the PIN is hidden. Undefined if the user cancelled. */
async function newPin(environment: Environment): Promise<string | undefined> {
  const { enterHidden } = await import('../../answer/prompts.ts');
  const pin = await enterHidden(environment, { message: 'The new PIN, 4 to 12 digits' }, (typed) =>
    /^\d{4,12}$/.test(typed) ? undefined : 'It must be 4 to 12 digits.',
  );
  if (pin === undefined) return undefined;
  return enterHidden(environment, { message: 'Repeat the PIN' }, (typed) =>
    typed === pin ? undefined : 'The two PINs differ.',
  );
}

export function refusePasskey(): never {
  throw new ExecutorError('usage', `Passkeys are not available yet. \`executor presence pin\` sets a PIN.`);
}
