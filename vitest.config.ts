import { defineConfig } from 'vitest/config';
import SlowFirst from './scripts/slow-first.ts';

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'apps/*/src/**/*.test.{ts,tsx}',
      'apps/*/test/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    globalSetup: ['scripts/test-setup.ts'],
    // Real processes and databases on a machine with two cores. Many tests wait for processes to start and times to pass, so a third finds room.
    maxWorkers: 3,
    // What the files import is read once by each worker. A third of the run would be spent on reading it again for each file.
    isolate: false,
    // The built program is loaded as Node loads it for users.
    server: { deps: { external: [/\/apps\/cli\/dist\//] } },
    sequence: { sequencer: SlowFirst },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for may take long on a busy machine; how long never decides.
    expect: { poll: { timeout: 20_000 } },
  },
});
