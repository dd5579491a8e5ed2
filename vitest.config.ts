import { defineConfig } from 'vitest/config';
import SlowFirst from './scripts/slow-first.ts';

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'apps/*/src/**/*.test.{ts,tsx}',
      'apps/*/test/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    globalSetup: ['scripts/test-setup.ts'],
    // One more than the cores of a small machine, because many tests wait for processes, databases and timers.
    maxWorkers: 3,
    // Each worker loads a module once. Loading modules again for each file would take a third of the run.
    isolate: false,
    // The built program is loaded as Node loads it for users.
    server: { deps: { external: [/\/apps\/cli\/dist\//] } },
    sequence: { sequencer: SlowFirst },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Conditions may take long on a busy machine. No test depends on how long.
    expect: { poll: { timeout: 20_000 } },
  },
});
