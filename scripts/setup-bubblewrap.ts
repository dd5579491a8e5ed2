import { probeConfinement } from '@executor/sandboxes';
import { installWithApt } from './apt.ts';

/** Sees to it that the sandbox's processes are confined by bubblewrap in the tests, where it can be had; elsewhere the tests of it are skipped. */
export async function ensureBubblewrap(): Promise<void> {
  if (process.platform !== 'linux' || (await probeConfinement()).kind === 'bubblewrap') return;
  installWithApt('bubblewrap', 'the tests of confinement');
  const { kind, detail } = await probeConfinement();
  if (kind !== 'bubblewrap') console.warn(`The tests of confinement by bubblewrap are skipped: ${detail}`);
}
