import { expect, test } from 'vitest';
import { readable, withoutFlags } from '../../test/wire/readable-schema.ts';

/* What the judge is told must mean what the document says, or it would judge something else. */

test.each([
  ['^{a{2}}$', ['{aa}'], ['{a}', 'aa']],
  ['^(?:{[0-9]{1,}}|\\{x})$', ['{12}', '{x}'], ['{}', '12']],
])('the pattern %s takes what it took', (pattern, taken, refused) => {
  const strict = new RegExp(String(readable({ pattern }).pattern), 'u');
  const loose = new RegExp(pattern);
  for (const text of taken) expect([strict.test(text), loose.test(text)], text).toEqual([true, true]);
  for (const text of refused) expect([strict.test(text), loose.test(text)], text).toEqual([false, false]);
});

test('a pattern that is strict already, or is none at all, stays as it is', () => {
  for (const pattern of ['^\\{a{2}\\}$', '(']) expect(readable({ pattern })).toEqual({ pattern });
});

test('the names of a mapping become references, and references stay', () => {
  const mapping = { a: 'One', b: '#/components/schemas/Two' };
  expect(readable({ discriminator: { propertyName: 'kind', mapping } })).toEqual({
    discriminator: {
      propertyName: 'kind',
      mapping: { a: '#/components/schemas/One', b: '#/components/schemas/Two' },
    },
  });
});

test('a flag of draft 4 becomes the bound that it speaks of', () => {
  const schema = { minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false };
  expect(withoutFlags({ items: [schema] })).toEqual({ items: [{ exclusiveMinimum: 1, maximum: 9 }] });
  expect(withoutFlags({ exclusiveMinimum: 3 })).toEqual({ exclusiveMinimum: 3 });
});
