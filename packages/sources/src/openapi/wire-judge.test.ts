import { expect, test } from 'vitest';
import { readable, withoutFlags } from '../../test/wire/readable-schema.ts';

/* The judge gets rewritten schemas. They must mean the same as those of the document. */

test.each([
  ['^{a{2}}$', ['{aa}'], ['{a}', 'aa']],
  ['^(?:{[0-9]{1,}}|\\{x})$', ['{12}', '{x}'], ['{}', '12']],
])('the rewritten pattern %s matches the same texts', (pattern, taken, refused) => {
  const strict = new RegExp(String(readable({ pattern }).pattern), 'u');
  const loose = new RegExp(pattern);
  for (const text of taken) expect([strict.test(text), loose.test(text)], text).toEqual([true, true]);
  for (const text of refused) expect([strict.test(text), loose.test(text)], text).toEqual([false, false]);
});

test('patterns that are strict already or invalid are kept', () => {
  for (const pattern of ['^\\{a{2}\\}$', '(']) expect(readable({ pattern })).toEqual({ pattern });
});

test('names in a mapping become references, and references are kept', () => {
  const mapping = { a: 'One', b: '#/components/schemas/Two' };
  expect(readable({ discriminator: { propertyName: 'kind', mapping } })).toEqual({
    discriminator: {
      propertyName: 'kind',
      mapping: { a: '#/components/schemas/One', b: '#/components/schemas/Two' },
    },
  });
});

test('boolean bounds of draft 4 become numbers', () => {
  const schema = { minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false };
  expect(withoutFlags({ items: [schema] })).toEqual({ items: [{ exclusiveMinimum: 1, maximum: 9 }] });
  expect(withoutFlags({ exclusiveMinimum: 3 })).toEqual({ exclusiveMinimum: 3 });
});
