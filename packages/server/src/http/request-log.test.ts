import { RateLimit } from '@executor/engine';
import { Hono } from 'hono';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { RequestLog } from './request-log.ts';

test('Requests without a credential have few lines, and the others are counted', async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ base: undefined }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const log = new RequestLog(logger, new RateLimit({ burst: 2, perSecond: 0.001 }), 1);
  const app = new Hono();
  app.use(log.middleware);
  app.onError((error, http) => {
    log.failed(http, error);
    return http.text('failed', 500);
  });
  app.get('/fails', () => {
    throw new Error('no');
  });
  app.get('/who', (http) => {
    http.set('account' as never, { kind: 'person', key: 'ada', workspaceId: 'w' } as never);
    return http.text('ada');
  });
  for (const path of [`/${'x'.repeat(5_000)}`, '/one', '/two', '/three', '/fails', '/who']) {
    await app.request(path);
  }
  await expect.poll(() => lines.length).toBe(4);
  expect(lines.map(({ path, msg, unauthenticated }) => ({ path, msg, unauthenticated }))).toEqual([
    { path: `/${'x'.repeat(199)}…`, msg: 'request' },
    { path: '/one', msg: 'request' },
    { path: '/who', msg: 'request' },
    { msg: expect.stringContaining('only counted'), unauthenticated: 4 },
  ]);
});
