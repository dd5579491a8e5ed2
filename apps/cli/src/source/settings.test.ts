import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CapturedEnvironment } from '../../test/captured-environment.ts';
import { newSettingsOf, settingsOf } from './settings.ts';

const environment = new CapturedEnvironment();

test('A server CA is read from a file, needs no client certificate, and can be unset', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'executor-ca-'));
  const file = join(folder, 'ca.pem');
  await writeFile(file, '-----BEGIN CERTIFICATE-----\nours\n-----END CERTIFICATE-----\n');
  const { serverCa } = await settingsOf(environment, { serverCa: file });
  await rm(folder, { recursive: true });
  expect(serverCa).toContain('\nours\n');
  expect(await settingsOf(environment, { serverCa: 'none' })).toEqual({ serverCa: null });
  expect(await newSettingsOf(environment, { serverCa: 'none' })).toEqual({});
  await expect(settingsOf(environment, { clientKey: file })).rejects.toThrow(
    '--client-key needs --client-certificate',
  );
});
