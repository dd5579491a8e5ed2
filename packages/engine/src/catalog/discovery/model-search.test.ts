import { createDiscovery } from '@executor/discovery';
import { expect, test } from 'vitest';
import { TestEngine } from '../../../test/test-engine.ts';
import type { Embedder } from '../../ports/embedder.ts';

/** A model that knows two subjects, and nothing of what else a text says. */
const embedder: Embedder = {
  model: 'subjects',
  embed: async (texts) =>
    texts.map((text) =>
      Int8Array.of(
        /zap|invoice/.test(text.toLowerCase()) ? 100 : 0,
        /cart/.test(text.toLowerCase()) ? 100 : 0,
        20,
      ),
    ),
};

test('search compares meanings by a language model as soon as a source has its vectors', async () => {
  await using host = await started();
  const search = (query: string) => host.engine.discovery.discover(host.owner, { query, explain: true });
  await expect.poll(async () => (await search('zap a cart')).results[0]?.why?.meaningBy).toBe('model');
  // No word and no word vector leads from one to the other.
  const { bestPath, results } = await search('zap it now');
  expect(bestPath).toBe('acme.invoices.make');
  expect(results[0]?.why).toMatchObject({ meaningBy: 'model' });
});

async function started() {
  const discovery = createDiscovery({ hasModel: true });
  const host = await TestEngine.start({ embedder, discovery });
  const url = 'https://acme.example/openapi.json';
  host.shelf.put(url, {
    title: 'Acme',
    tools: [
      { name: 'invoices.make', description: 'Makes an invoice.' },
      { name: 'carts.empty', description: 'Empties a cart.' },
      { name: 'orders.list', description: 'Lists orders.' },
    ],
  });
  await host.engine.sources.add(host.owner, { url });
  return Object.assign(host, { [Symbol.asyncDispose]: () => host.close() });
}
