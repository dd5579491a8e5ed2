import type { SearchedSource, TextVector, Tool } from '@executor/engine';
import { toolText } from '@executor/engine';
import { expect, test } from 'vitest';
import { vectorsFile } from '../build.ts';
import { search, tool } from '../test/searched-tools.ts';
import { createDiscovery } from './create-discovery.ts';

const discovery = createDiscovery({ vectorsFile, hasModel: true });

/** A model that knows one subject: throwing away and wiping are the same, and nothing else has a meaning. */
function vectorOf(text: string): TextVector {
  return /wipe|bin it/i.test(text) ? Int8Array.of(0, 127) : Int8Array.of(127, 0);
}

function source(namespace: string, tools: Tool[], hasVectors = true): SearchedSource {
  const index = discovery.open(discovery.index(tools.map(toolText)));
  if (hasVectors) index.setVectors(index.texts.map(vectorOf));
  return { namespace, name: namespace, index };
}

function find(sources: SearchedSource[], query: string, withVectors = true) {
  const texts = discovery.requestTexts(sources, query);
  const vectors = withVectors ? new Map(texts.map((text) => [text, vectorOf(text)])) : undefined;
  return search(sources, query, { limit: 10, explain: true, vectors }, discovery).found;
}

const disks = [
  tool('POST /wipes', 'disks.wipe', 'Wipe a volume', [], 'disk'),
  tool('GET /disks', 'disks.list', 'List volumes', [], 'disk'),
  tool('POST /disks', 'disks.attach', 'Attach a volume', [], 'disk'),
];
const mails = [
  tool('POST /mails', 'mails.send', 'Send a letter', [], 'mail'),
  tool('GET /mails', 'mails.listAll', 'List letters', [], 'mail'),
];

test('a language model finds a tool that no word and no word vector leads to', () => {
  const [first] = find([source('disk', disks)], 'bin it');
  expect(first?.path).toBe('disk.disks.wipe');
  expect(first?.why).toMatchObject({ meaningBy: 'model' });
});

test('its texts are words: summary, name and groups', () => {
  const long = tool('GET /a', 'deployKeys.listForRepo_v2', `${'Long '.repeat(200)}summary`, [], 'disk');
  expect(source('mail', mails).index.texts).toEqual([
    'List letters. list all mails',
    'Send a letter. send mails',
  ]);
  const [text = ''] = source('disk', [long]).index.texts;
  expect(text).toMatch(/^Long Long .* list for repo v2 deploy keys$/);
  expect(text.length).toBeLessThanOrEqual(400);
  const plain = createDiscovery({ vectorsFile });
  expect(plain.open(plain.index(mails.map(toolText))).texts).toEqual([]);
});

test('the texts of a request are the whole and its clauses, as they are spoken', () => {
  expect(
    discovery.requestTexts(
      [source('disk', disks)],
      'Who has the volume? List all volumes "x", then attach a disk',
    ),
  ).toEqual([
    'who has the volume list all volumes then attach a disk',
    'who has the volume',
    'list all volumes',
    'then attach a disk',
  ]);
  expect(discovery.requestTexts([source('disk', disks)], '""')).toEqual([]);
});

test('a source that the model has not read yet is compared with one that it has read', () => {
  const mixed = [source('disk', disks), source('mail', mails, false)];
  expect(find(mixed, 'send a letter')[0]).toMatchObject({
    path: 'mail.mails.send',
    why: { meaning: expect.any(Number) },
  });
  expect(find(mixed, 'send a letter')[0]?.why).not.toHaveProperty('meaningBy');
  expect(find(mixed, 'bin it')[0]?.path).toBe('disk.disks.wipe');
});

test('without vectors of the request, a search is the same as without a model', () => {
  const plain = createDiscovery({ vectorsFile });
  const index = plain.open(plain.index(disks.map(toolText)));
  for (const query of ['bin it', 'list volumes', 'attach a volume and list all'])
    expect(find([source('disk', disks)], query, false)).toEqual(
      search([{ namespace: 'disk', name: 'disk', index }], query, { limit: 10, explain: true }, plain).found,
    );
});

test('vectors of other tools are refused', () => {
  expect(() => source('disk', disks).index.setVectors([Int8Array.of(1)])).toThrow(
    'Each tool needs one vector.',
  );
});
