import { expect, test } from 'vitest';
import { stem } from './stem.ts';
import { partsOf } from './terms.ts';

test.each([
  ['listForRepo', 'list for repo'],
  ['HTTPServer', 'http server'],
  ['getURLsForPRs', 'get urls for prs'],
  ['IDs', 'ids'],
  ['2FA', '2fa'],
  ['IPv4', 'ipv4'],
  ['listV2Items', 'list v2 items'],
  ['S3Bucket', 's3 bucket'],
  ['getAsTree', 'get as tree'],
])('the words of %s are %s', (token, words) => {
  expect(partsOf(token).join(' ')).toBe(words);
});

test.each([
  'cancel cancels cancelled canceled cancelling cancellation',
  'label labels labelled labeled',
  'alias aliases',
  'PRs pr'.toLowerCase(),
  'customer customers',
  'plane planes',
])('one stem: %s', (words) => {
  expect(new Set(words.split(' ').map(stem)).size).toBe(1);
});

test.each(['customer custom', 'plan plane', 'user use', 'policy police'])('different stems: %s', (words) => {
  expect(new Set(words.split(' ').map(stem)).size).toBe(2);
});
