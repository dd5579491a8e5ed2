import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Fixture } from '../../test/fixture.ts';

export function describeVectors(fixture: Fixture): void {
  describe('vectors', () => {
    const model = () => `model ${randomUUID()}`;

    test('are found by model and hash, byte for byte', async () => {
      const [one, other] = [model(), model()];
      const every = Int8Array.from({ length: 256 }, (_, value) => value - 128);
      await fixture.store.vectors.save(
        one,
        new Map([
          ['a', every],
          ['b', Int8Array.of(1, -1)],
        ]),
      );
      expect(await fixture.store.vectors.find(one, ['a', 'b', 'c'])).toEqual(
        new Map([
          ['a', every],
          ['b', Int8Array.of(1, -1)],
        ]),
      );
      expect(await fixture.store.vectors.find(other, ['a'])).toEqual(new Map());
      expect(await fixture.store.vectors.find(one, [])).toEqual(new Map());
    });

    test('may be saved by several processes at once', async () => {
      const name = model();
      const hashes = Array.from({ length: 50 }, (_, number) => `hash ${number}`);
      const inOrder = new Map(hashes.map((hash) => [hash, Int8Array.of(1)]));
      const backwards = new Map(hashes.toReversed().map((hash) => [hash, Int8Array.of(2)]));
      await Promise.all(
        [inOrder, backwards, inOrder, backwards].map((set) => fixture.store.vectors.save(name, set)),
      );
      expect((await fixture.store.vectors.find(name, hashes)).size).toBe(50);
    });

    test('are removed if nobody used them', async () => {
      const name = model();
      await fixture.store.vectors.save(
        name,
        new Map(['old', 'used', 'new'].map((hash) => [hash, Int8Array.of(1)])),
      );
      await fixture.sql(
        `update text_vectors set used_at = now() - interval '31 days' where model = '${name}' and hash <> 'new'`,
      );
      await fixture.store.vectors.find(name, ['used']);
      while ((await fixture.store.vectors.removeUnused({ days: 30, most: 1_000, limit: 1 })) === 1);
      expect([...(await fixture.store.vectors.find(name, ['old', 'used', 'new'])).keys()].toSorted()).toEqual(
        ['new', 'used'],
      );
    });

    test('that were used longest ago are removed if there are too many', async () => {
      const name = model();
      const hashes = ['first', 'second', 'third'];
      for (const [days, hash] of hashes.entries()) {
        await fixture.store.vectors.save(name, new Map([[hash, Int8Array.of(1)]]));
        await fixture.sql(
          `update text_vectors set used_at = now() - interval '${20 - days} days' where model = '${name}' and hash = '${hash}'`,
        );
      }
      const most = (await fixture.count('text_vectors')) - 2;
      const unused = { days: 30, most, limit: 100 };
      expect(await fixture.store.vectors.removeUnused(unused)).toBe(2);
      expect([...(await fixture.store.vectors.find(name, hashes)).keys()]).toEqual(['third']);
      expect(await fixture.store.vectors.removeUnused(unused)).toBe(0);
    });
  });
}
