import { probeConfinement } from '@executor/sandboxes';
import { installWithApt } from './apt.ts';

/** Installs bubblewrap if possible, so that the tests confine the sandbox's processes with it. Otherwise those tests are skipped. */
export async function ensureBubblewrap(): Promise<void> {
  if (process.platform !== 'linux' || (await probeConfinement()).kind === 'bubblewrap') return;
  installWithApt('bubblewrap', 'the tests of confinement');
  const { kind, detail } = await probeConfinement();
  if (kind !== 'bubblewrap') console.warn(`The tests of confinement by bubblewrap are skipped: ${detail}`);
}
