import { createQuickJsSandbox } from '../src/quickjs/sandbox.ts';

/** A server with runs in progress: `server.program.ts FOLDER`. It prints a line when its lanes are busy. */
const sandbox = await createQuickJsSandbox({ folder: process.argv[2] ?? '', lanes: { warm: 3, max: 6 } });
sandbox.warmUp();
const scripts = [
  'for (;;);',
  'Array.prototype.join.call({ length: 2 ** 32 - 1 })',
  'await tools.never.answers()',
  'await tools.never.answers()',
];
let calls = 0;
for (const source of scripts) {
  const compilation = await sandbox.compile(source);
  if (compilation.type === 'rejected') throw new Error(compilation.error.message);
  const { program } = compilation;
  const onCall = () => {
    calls += 1;
  };
  void sandbox.run({ program, seed: 's', epoch: 0, limits: { cpuMs: 600_000 } }, { onCall });
}
const waiter = setInterval(() => {
  if (calls < 2 || sandbox.stats().hotLanes < 2) return;
  clearInterval(waiter);
  process.stdout.write('at work\n');
}, 20);
setInterval(() => {}, 60_000);
