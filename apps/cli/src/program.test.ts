import { expect, test } from 'vitest';
import { CapturedEnvironment } from '../test/captured-environment.ts';
import { createProgram, groups } from './program.ts';

test('Each group declares exactly the commands that select it', () => {
  const environment = new CapturedEnvironment();
  for (const { commands } of groups) {
    for (const command of commands) {
      const program = createProgram(environment, [command]);
      expect(program.commands.map((declared) => declared.name())).toEqual(commands);
    }
  }
});

test('Help and unknown commands declare all groups', () => {
  const environment = new CapturedEnvironment();
  const all = [...groups.flatMap(({ commands }) => commands), 'completion'];
  for (const args of [[], ['--help'], ['help', 'keys'], ['completion', 'bash'], ['statsu']]) {
    const program = createProgram(environment, args);
    expect(program.commands.map((declared) => declared.name())).toEqual(all);
  }
});
