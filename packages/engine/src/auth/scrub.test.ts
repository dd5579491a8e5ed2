import { expect, test } from 'vitest';
import { Scrubber } from './scrub.ts';

const basic = { type: 'basic', username: 'ada', password: 'correct/horse "battery"' } as const;
const encoded = Buffer.from(`ada:${basic.password}`).toString('base64');
const scrubber = new Scrubber(basic, { headers: { Authorization: `Basic ${encoded}` } });

test('Credentials are removed from results and errors, in every form and field', () => {
  const outcome = scrubber.outcome({
    type: 'value',
    value: {
      plain: `before ${basic.password} after`,
      header: [`Basic ${encoded}`, encoded],
      url: `https://x.test/?password=${encodeURIComponent(basic.password)}`,
      [basic.password]: 1,
    },
  });
  expect(outcome).toEqual({
    type: 'value',
    value: {
      plain: 'before [secret] after',
      header: ['[secret]', '[secret]'],
      url: 'https://x.test/?password=[secret]',
      '[secret]': 1,
    },
  });
  expect(
    scrubber.outcome({ type: 'error', message: `bad ${encoded}`, details: { body: basic.password } }),
  ).toEqual({ type: 'error', message: 'bad [secret]', details: { body: '[secret]' } });
});

test('The secret inside a header is removed also when it occurs alone', () => {
  const headers = {
    Authorization: 'Token xyz-12345678',
    'X-Auth': 'Custom user="ada", secret="inner-12345678"',
  };
  const byHand = new Scrubber({ type: 'headers', headers }, { headers });
  expect(byHand.text('xyz-12345678 inner-12345678 Custom ada')).toBe('[secret] [secret] Custom ada');
  const pair = Buffer.from('user:pass-12345678').toString('base64');
  const named = new Scrubber(
    { type: 'schemes', schemes: { basicAuth: 'user:pass-12345678' }, query: { k: 'beside-12345678' } },
    { headers: { Authorization: `Basic ${pair}` } },
  );
  expect(named.text('user pass-12345678 user:pass-12345678 beside-12345678')).toBe(
    'user [secret] [secret] [secret]',
  );
});

test('Common words of a header or password are kept', () => {
  const headers = {
    'User-Agent': 'Acme integration',
    Authorization: 'SSWS abc-12345678',
    'X-Token': 'Token wordsonly',
  };
  const plain = new Scrubber({ type: 'headers', headers }, { headers });
  expect(plain.text('integration_id of Acme integration, abc-12345678, wordsonly')).toBe(
    'integration_id of [secret], [secret], [secret]',
  );
  expect(new Scrubber({ type: 'basic', username: 'a', password: 'my password' }, {}).text('password')).toBe(
    'password',
  );
});

test('A long token does not slow down scrubbing', () => {
  const token = 'a'.repeat(60_000);
  const startedAt = process.cpuUsage().user;
  new Scrubber({ type: 'bearer', token }, { headers: { Authorization: `Bearer ${token}` } });
  // A search that restarts at every position would take many seconds.
  expect((process.cpuUsage().user - startedAt) / 1_000).toBeLessThan(2_000);
});

test('Removing a numeric key leaves valid JSON', () => {
  const numeric = new Scrubber({ type: 'bearer', token: '1234567890' }, {});
  expect(numeric.outcome({ type: 'value', value: { id: 1234567890, other: 12345678901 } })).toEqual({
    type: 'value',
    value: { id: '[secret]', other: 12345678901 },
  });
});

test('A result without secrets is not copied, and short values are kept', () => {
  const value = { user: 'ada', list: [1, null, true] };
  const outcome = scrubber.outcome({ type: 'value', value });
  expect(outcome.type === 'value' && outcome.value).toBe(value);
  const short = new Scrubber({ type: 'bearer', token: 'abc' }, { headers: { Authorization: 'abc' } });
  expect(short.text('abc')).toBe('abc');
});

test('Secrets are removed from the bytes of artifacts', () => {
  const bytes = Buffer.concat([
    Buffer.from([0, 255]),
    Buffer.from(basic.password),
    Buffer.from([1]),
    Buffer.from(encoded),
  ]);
  const { bytes: clean } = scrubber.artifact({ bytes, mediaType: 'image/png', name: 'x' });
  expect(Buffer.from(clean)).toEqual(
    Buffer.concat([Buffer.from([0, 255]), Buffer.from('[secret]\u0001[secret]')]),
  );
});
