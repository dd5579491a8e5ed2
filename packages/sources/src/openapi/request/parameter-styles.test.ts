import { describe, expect, test } from 'vitest';
import type { ParameterPlan, ParameterStyle } from '../operation.ts';
import { writeCookieParameter, writeHeaderParameter } from './header-parameter.ts';
import { writePathParameter } from './path-parameter.ts';
import { writeQueryParameter } from './query-parameter.ts';

/* The table "Style Examples" of the specification, and cases that it does not define. */

const values = {
  empty: '',
  string: 'blue',
  number: 1.5,
  boolean: false,
  array: ['blue', 'black', 'brown'],
  object: { R: 100, G: 200, B: 150 },
};

function parameter(location: ParameterPlan['in'], style: ParameterStyle, explode: boolean): ParameterPlan {
  return { field: 'color', name: 'color', in: location, style, explode };
}

type Row = [style: ParameterStyle, explode: boolean, value: unknown, written: string | string[]];

describe('in the path', () => {
  test.each<Row>([
    ['simple', false, values.string, 'blue'],
    ['simple', false, values.number, '1.5'],
    ['simple', false, values.boolean, 'false'],
    ['simple', false, values.array, 'blue,black,brown'],
    ['simple', true, values.array, 'blue,black,brown'],
    ['simple', false, values.object, 'R,100,G,200,B,150'],
    ['simple', true, values.object, 'R=100,G=200,B=150'],
    ['label', false, values.empty, '.'],
    ['label', false, values.string, '.blue'],
    ['label', false, values.array, '.blue,black,brown'],
    ['label', true, values.array, '.blue.black.brown'],
    ['label', false, values.object, '.R,100,G,200,B,150'],
    ['label', true, values.object, '.R=100.G=200.B=150'],
    ['matrix', false, values.empty, ';color'],
    ['matrix', false, values.string, ';color=blue'],
    ['matrix', false, values.array, ';color=blue,black,brown'],
    ['matrix', true, values.array, ';color=blue;color=black;color=brown'],
    ['matrix', false, values.object, ';color=R,100,G,200,B,150'],
    ['matrix', true, values.object, ';R=100;G=200;B=150'],
    ['simple', false, 'a/b', 'a%2Fb'],
    ['simple', false, '../x', '..%2Fx'],
    ['simple', false, 'ä ;?#%\\', '%C3%A4%20%3B%3F%23%25%5C'],
    ['simple', false, ['a,b', 'c'], 'a%2Cb,c'],
    ['simple', false, [{ a: 1 }, [2]], '%7B%22a%22%3A1%7D,%5B2%5D'],
    ['simple', false, [1, null, 2], '1,2'],
  ])('%s, explode %s: %j is %s', (style, explode, value, written) => {
    expect(writePathParameter(parameter('path', style, explode), value)).toBe(written);
  });

  test.each([[''], [null], [undefined], [[]], [{}], [[null]]])(
    '%j is refused: the path would be another',
    (value) => {
      expect(() => writePathParameter(parameter('path', 'simple', false), value)).toThrow(
        'color is part of the path and must not be empty.',
      );
    },
  );

  test('a value may have a media type', () => {
    const written = writePathParameter(
      { ...parameter('path', 'simple', false), content: 'application/json' },
      { a: 1 },
    );
    expect(written).toBe('%7B%22a%22%3A1%7D');
  });
});

describe('in the query', () => {
  test.each<Row>([
    ['form', true, values.empty, ['color=']],
    ['form', true, values.string, ['color=blue']],
    ['form', true, values.boolean, ['color=false']],
    ['form', true, values.array, ['color=blue', 'color=black', 'color=brown']],
    ['form', true, values.object, ['R=100', 'G=200', 'B=150']],
    ['form', false, values.array, ['color=blue,black,brown']],
    ['form', false, values.object, ['color=R,100,G,200,B,150']],
    ['spaceDelimited', false, values.array, ['color=blue%20black%20brown']],
    ['spaceDelimited', true, values.array, ['color=blue', 'color=black', 'color=brown']],
    ['spaceDelimited', false, values.object, ['color=R%20100%20G%20200%20B%20150']],
    ['pipeDelimited', false, values.array, ['color=blue%7Cblack%7Cbrown']],
    ['pipeDelimited', false, values.object, ['color=R%7C100%7CG%7C200%7CB%7C150']],
    ['tabDelimited', false, values.array, ['color=blue%09black%09brown']],
    ['deepObject', true, values.object, ['color%5BR%5D=100', 'color%5BG%5D=200', 'color%5BB%5D=150']],
    ['deepObject', true, values.array, ['color%5B%5D=blue', 'color%5B%5D=black', 'color%5B%5D=brown']],
    ['deepObject', true, values.string, ['color=blue']],
    [
      'deepObject',
      true,
      { a: { b: [1, 2] } },
      ['color%5Ba%5D%5Bb%5D%5B%5D=1', 'color%5Ba%5D%5Bb%5D%5B%5D=2'],
    ],
    [
      'deepObject',
      true,
      { a: [{ b: 1 }, { b: 2 }] },
      ['color%5Ba%5D%5B0%5D%5Bb%5D=1', 'color%5Ba%5D%5B1%5D%5Bb%5D=2'],
    ],
    ['deepObject', true, { a: null, b: {}, c: [] }, []],
    ['form', true, null, []],
    ['form', true, [], []],
    ['form', false, {}, []],
    ['form', true, [1, null], ['color=1']],
    ['form', true, ['a&b=c', 'd+e'], ['color=a%26b%3Dc', 'color=d%2Be']],
    ['form', true, { 'a&b': '=', constructor: 1 }, ['a%26b=%3D', 'constructor=1']],
    ['form', false, ['a,b', 'c'], ['color=a%2Cb,c']],
    ['form', true, { nested: { a: [1] } }, ['nested=%7B%22a%22%3A%5B1%5D%7D']],
  ])('%s, explode %s: %j is %j', (style, explode, value, written) => {
    expect(writeQueryParameter(parameter('query', style, explode), value)).toEqual(written);
  });

  const reserved = { ...parameter('query', 'form', true), allowReserved: true as const };
  test.each([
    ['https://a.example/b?c', ['color=https://a.example/b?c']],
    ['a@b;c,d$e!(f)*', ['color=a@b%3Bc,d$e!(f)*']],
    ['50%', ['color=50%25']],
    ['50%20', ['color=50%20']],
    ['a&admin=true', ['color=a%26admin=true']],
    ['a#b+c[d]', ['color=a%23b%2Bc%5Bd%5D']],
  ])('with allowReserved, %j is %j and never another parameter', (value, written) => {
    expect(writeQueryParameter(reserved, value)).toEqual(written);
  });

  test('a value may have a media type', () => {
    const json = { ...parameter('query', 'form', true), content: 'application/json; charset=utf-8' };
    expect(writeQueryParameter(json, { a: [1] })).toEqual(['color=%7B%22a%22%3A%5B1%5D%7D']);
    expect(writeQueryParameter(json, null)).toEqual(['color=null']);
    expect(writeQueryParameter(json, undefined)).toEqual([]);
    expect(writeQueryParameter({ ...json, content: 'text/plain' }, 'a b')).toEqual(['color=a%20b']);
  });

  test('names are readable and cannot contain a value', () => {
    const named = (name: string) => writeQueryParameter({ ...parameter('query', 'form', true), name }, 1);
    expect([named('$filter'), named('user:id'), named('a=b&c'), named('ids[]')]).toEqual([
      ['$filter=1'],
      ['user:id=1'],
      ['a%3Db%26c=1'],
      ['ids%5B%5D=1'],
    ]);
  });

  test('values that are nested too deeply are refused', () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) value = { a: value };
    expect(() => writeQueryParameter(parameter('query', 'deepObject', true), value)).toThrow('50 levels');
  });
});

describe('in a header', () => {
  test.each<Row>([
    ['simple', false, values.string, 'blue'],
    ['simple', false, values.array, 'blue,black,brown'],
    ['simple', true, values.array, 'blue,black,brown'],
    ['simple', false, values.object, 'R,100,G,200,B,150'],
    ['simple', true, values.object, 'R=100,G=200,B=150'],
    ['simple', false, 'a b/c', 'a b/c'],
    ['simple', false, ' trimmed ', 'trimmed'],
  ])('%s, explode %s: %j is %s', (style, explode, value, written) => {
    expect(writeHeaderParameter(parameter('header', style, explode), value)).toBe(written);
  });

  test.each(['a\r\nx-b: c', 'a\nb', 'a\0b', ['ok', 'a\rb'], { a: 'b\nc' }])('%j is refused', (value) => {
    expect(() => writeHeaderParameter(parameter('header', 'simple', true), value)).toThrow(
      'must be one line',
    );
  });

  test('headers of the connection cannot be set by callers', () => {
    for (const name of ['Host', 'content-length', 'Transfer-Encoding', 'Connection', 'Proxy-Authorization'])
      expect(writeHeaderParameter({ ...parameter('header', 'simple', false), name }, 'x')).toBeUndefined();
  });

  test('an invalid header name is refused', () => {
    const odd = { ...parameter('header', 'simple', false), name: 'a: b\r\nc' };
    expect(() => writeHeaderParameter(odd, 'x')).toThrow('is not a valid header name');
  });
});

describe('in a cookie', () => {
  test.each<Row>([
    ['form', false, values.string, ['color=blue']],
    ['form', false, values.array, ['color=blue,black,brown']],
    ['form', true, values.array, ['color=blue', 'color=black', 'color=brown']],
    ['form', true, values.object, ['R=100', 'G=200', 'B=150']],
    ['form', false, values.object, ['color=R,100,G,200,B,150']],
    ['form', false, 'a; admin=1\r\n', ['color=a%3B%20admin%3D1%0D%0A']],
  ])('%s, explode %s: %j is %j', (style, explode, value, written) => {
    expect(writeCookieParameter(parameter('cookie', style, explode), value)).toEqual(written);
  });
});

test("a list in an exploded object is repeated, as in Spring's Pageable", () => {
  const value = { page: 0, sort: ['a,asc', 'b'], none: [], empty: null };
  expect(writeQueryParameter(parameter('query', 'form', true), value)).toEqual([
    'page=0',
    'sort=a%2Casc',
    'sort=b',
  ]);
});

test.each<[ParameterStyle, string, string]>([
  ['spaceDelimited', 'a%20b', 'a b'],
  ['tabDelimited', 'a%09b', 'a\tb'],
  ['pipeDelimited', 'a%7Cb', 'a|b'],
])('Swagger lists may be %s in a path and a header', (style, path, header) => {
  expect(writePathParameter(parameter('path', style, false), ['a', 'b'])).toBe(path);
  expect(writeHeaderParameter(parameter('header', style, false), ['a', 'b'])).toBe(header);
});
