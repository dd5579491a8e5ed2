import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingRows } from './complete-lock.ts';

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));

test('the lock file has a row for every optional package, so that npm ci works on any platform', () => {
  expect(missingRows(lock)).toEqual({});
});

test('the lock file names no registry, so that any configured registry works', () => {
  const addresses = Object.values<{ resolved?: string }>(lock.packages).filter(({ resolved }) =>
    resolved?.includes('://'),
  );
  expect(addresses).toEqual([]);
});

test('a missing row follows from the name of the package', () => {
  const packages = {
    'node_modules/tool': {
      version: '1.0.0',
      dev: true,
      optionalDependencies: { '@tool/linux-x64-musl': '1.0.0', '@tool/windows-arm64': '1.0.0' },
    },
  };
  expect(missingRows({ packages })).toEqual({
    'node_modules/@tool/linux-x64-musl': {
      version: '1.0.0',
      dev: true,
      optional: true,
      os: ['linux'],
      cpu: ['x64'],
      libc: ['musl'],
    },
    'node_modules/@tool/windows-arm64': {
      version: '1.0.0',
      dev: true,
      optional: true,
      os: ['win32'],
      cpu: ['arm64'],
    },
  });
});
