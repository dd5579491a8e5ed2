import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discovery as wordDiscovery } from '../../../test/index-tools.ts';
import { TestEngine } from '../../../test/test-engine.ts';
import type { SearchedSource, SearchIndex } from '../../ports/discovery.ts';
import type { Embedder, EmbeddingJob, TextVector } from '../../ports/embedder.ts';
import { CpuMeter } from '../../resource/cpu-meter.ts';
import { ModelVectors } from './model-vectors.ts';

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
});
afterAll(() => host.close());

/** A model whose vectors are lengths of texts. */
class LengthModel implements Embedder {
  readonly computed: { texts: readonly string[]; job: EmbeddingJob['type'] }[] = [];
  isBroken = false;
  gate: Promise<void> | undefined;
  readonly model: string;

  constructor(model: string) {
    this.model = model;
  }

  async embed(texts: readonly string[], { type }: EmbeddingJob): Promise<TextVector[] | undefined> {
    if (texts.length > 0) this.computed.push({ texts, job: type });
    await this.gate;
    return this.isBroken ? undefined : texts.map((text) => Int8Array.of(text.length));
  }
}

class Index implements SearchIndex {
  readonly texts: string[];
  vectors: readonly TextVector[] | undefined;

  constructor(texts: string[]) {
    this.texts = texts;
  }

  get size(): number {
    return this.texts.length;
  }

  get hasVectors(): boolean {
    return this.vectors !== undefined;
  }

  setVectors(vectors: readonly TextVector[]): void {
    this.vectors = vectors;
  }
}

function vectorsWith(embedder: Embedder, more: Partial<ConstructorParameters<typeof ModelVectors>[0]> = {}) {
  const discovery = { requestTexts: (_: unknown, request: string) => request.split(',') };
  return new ModelVectors({
    embedder,
    store: host.store,
    discovery,
    onProblem: () => {},
    firstRetryMs: 1,
    ...more,
  });
}

const sourceWith = (index: SearchIndex): SearchedSource => ({ namespace: 'acme', name: 'Acme', index });
const numbers = (vectors: readonly TextVector[] | undefined) => vectors?.map(([value]) => value);

describe('the vectors of tools', () => {
  test('are computed once for each text, by any process', async () => {
    const texts = ['a', 'bb', 'a', ...Array.from({ length: 70 }, (_, length) => 'c'.repeat(3 + length))];
    const [one, other] = [new LengthModel('once'), new LengthModel('once')];
    const [first, second] = [new Index(texts), new Index([...texts, 'd'.repeat(100)])];
    vectorsWith(one).begin(first);
    await expect.poll(() => numbers(first.vectors)).toEqual(texts.map(({ length }) => length));
    expect(one.computed.flatMap((job) => job.texts).toSorted()).toEqual([...new Set(texts)].toSorted());
    vectorsWith(other).begin(second);
    await expect.poll(() => second.vectors?.length).toBe(74);
    expect(other.computed).toEqual([{ texts: ['d'.repeat(100)], job: 'background' }]);
  });

  test('that another process saves meanwhile are not computed', async () => {
    const texts = Array.from({ length: 320 }, (_, length) => 'c'.repeat(1 + length));
    const [one, other] = [new LengthModel('meanwhile'), new LengthModel('meanwhile')];
    const [first, second] = [new Index(texts), new Index(texts)];
    let proceed = () => {};
    other.gate = new Promise((resolve) => {
      proceed = resolve;
    });
    vectorsWith(other).begin(second);
    await expect.poll(() => other.computed).toHaveLength(1);
    vectorsWith(one).begin(first);
    await expect.poll(() => first.hasVectors).toBe(true);
    proceed();
    await expect.poll(() => numbers(second.vectors)).toEqual(numbers(first.vectors));
    expect(other.computed).toHaveLength(1);
  });

  test('of a small source do not wait for all of a large one', async () => {
    const model = new LengthModel('turns');
    const vectors = vectorsWith(model);
    const [large, small] = [
      new Index(Array.from({ length: 640 }, (_, n) => `large ${n}`)),
      new Index(['small']),
    ];
    vectors.begin(large);
    vectors.begin(small);
    await expect.poll(() => small.hasVectors).toBe(true);
    const position = model.computed.findIndex(({ texts }) => texts[0] === 'small');
    expect(position).toBeLessThan(10);
    await expect.poll(() => large.hasVectors).toBe(true);
  });

  test('of another model are not used', async () => {
    const other = new LengthModel('another');
    const index = new Index(['a']);
    vectorsWith(other).begin(index);
    await expect.poll(() => index.hasVectors).toBe(true);
    expect(other.computed).toHaveLength(1);
  });

  test('are computed when the model works again, from where it stopped', async () => {
    const model = new LengthModel('repaired');
    model.isBroken = true;
    const index = new Index(['a', 'bb']);
    vectorsWith(model).begin(index);
    await expect.poll(() => model.computed.length).toBeGreaterThan(2);
    expect(index.hasVectors).toBe(false);
    model.isBroken = false;
    await expect.poll(() => numbers(index.vectors)).toEqual([1, 2]);
  });

  test('are computed although the database refuses for a while', async () => {
    const problems: string[] = [];
    let refusals = 2;
    const vectors = new Proxy(host.store.vectors, {
      get(store, name) {
        if (name === 'save' && refusals-- > 0) return () => Promise.reject(new Error('the database is away'));
        return Reflect.get(store, name);
      },
    });
    const index = new Index(['a']);
    vectorsWith(new LengthModel('refused'), {
      store: { vectors },
      onProblem: (message) => problems.push(message),
    }).begin(index);
    await expect.poll(() => numbers(index.vectors)).toEqual([1]);
    expect(problems).toHaveLength(2);
  });

  test('of a source that was replaced do not keep its index in memory while the model does not work', async () => {
    const model = new LengthModel('absent');
    model.isBroken = true;
    const vectors = vectorsWith(model, { firstRetryMs: 3_600_000 });
    const begin = () => {
      const index = new Index(['a']);
      vectors.begin(index);
      return new WeakRef(index);
    };
    const index = begin();
    await expect.poll(() => model.computed).toHaveLength(1);
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc');
    await expect
      .poll(() => {
        collectGarbage();
        return index.deref();
      })
      .toBeUndefined();
  });

  test('are not computed for an index without texts', () => {
    const model = new LengthModel('none');
    const index = wordDiscovery.open(wordDiscovery.index([]));
    vectorsWith(model).begin(index);
    expect(index.texts).toEqual([]);
  });
});

describe('the vectors of a request', () => {
  test('are computed in one job, and remembered', async () => {
    const model = new LengthModel('request');
    const vectors = vectorsWith(model);
    const index = new Index(['a']);
    vectors.begin(index);
    await expect.poll(() => index.hasVectors).toBe(true);
    const find = async (request: string) =>
      [...((await vectors.ofRequest([sourceWith(index)], request, new CpuMeter())) ?? [])].map(
        ([text, [value]]) => [text, value],
      );
    expect(await find('list,create')).toEqual([
      ['list', 4],
      ['create', 6],
    ]);
    expect(await find('list,delete it')).toEqual([
      ['list', 4],
      ['delete it', 9],
    ]);
    expect(model.computed.slice(1)).toEqual([
      { texts: ['list', 'create'], job: 'request' },
      { texts: ['delete it'], job: 'request' },
    ]);
  });

  test('that were known when it began are kept for it, although others replace them meanwhile', async () => {
    const model = new LengthModel('replaced');
    const vectors = vectorsWith(model);
    const index = new Index(['a']);
    index.setVectors([Int8Array.of(1)]);
    const find = (request: string) => vectors.ofRequest([sourceWith(index)], request, new CpuMeter());
    await find('known');
    let proceed = () => {};
    model.gate = new Promise((resolve) => {
      proceed = resolve;
    });
    const waiting = find('known,another');
    model.gate = undefined;
    await find(Array.from({ length: 1_000 }, (_, number) => `text ${number}`).join(','));
    proceed();
    expect([...((await waiting) ?? [])]).toEqual([
      ['known', Int8Array.of(5)],
      ['another', Int8Array.of(7)],
    ]);
  });

  test('are not needed while no source has vectors, and missing if the model does not answer', async () => {
    const model = new LengthModel('silent');
    const vectors = vectorsWith(model);
    const index = new Index(['a']);
    const find = () => vectors.ofRequest([sourceWith(index)], 'list', new CpuMeter());
    expect(await find()).toBeUndefined();
    expect(model.computed).toEqual([]);
    index.setVectors([Int8Array.of(1)]);
    model.isBroken = true;
    expect(await find()).toBeUndefined();
  });
});
