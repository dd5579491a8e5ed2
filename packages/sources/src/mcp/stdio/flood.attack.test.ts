import type { Source } from '@executor/engine';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { loadMcp } from '../../../test/mcp/loaded-source.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import { createMcpSource } from '../mcp-source.ts';

/* Programs that write too much. */

const http = createHttpClient();
afterAll(() => http.close());
let source: Source;
beforeEach(() => {
  source = createMcpSource({ http });
});
afterEach(() => source.close?.());

const server = (onCall: string) => ({
  command: process.execPath,
  args: [
    '-e',
    `const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const answer = (result) => send({ id, result });
      if (method === 'server/discover') send({ id, error: { code: -32601, message: 'unknown' } });
      if (method === 'initialize') answer({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'flood', version: '1' } });
      if (method === 'tools/list') answer({ tools: [{ name: 'act', inputSchema: { type: 'object' } }] });
      if (method === 'tools/call') { ${onCall} }
    });`,
  ],
});
const done = `answer({ content: [{ type: 'text', text: 'done' }] });`;
const logOf = () => source.logs?.('src_test') ?? [];

test('The log keeps a limited part of a flood on standard error, and the call succeeds', async () => {
  const { call } = await loadMcp(
    source,
    server(
      `for (let i = 0; i < 50_000; i++) console.error('x'.repeat(100)); process.stderr.write('y'.repeat(5_000_000)); ${done}`,
    ),
  );
  expect(await call('act')).toEqual({ type: 'value', value: 'done' });
  expect(logOf().length).toBeLessThan(1_200);
  for (const { text } of logOf()) expect(text.length).toBeLessThanOrEqual(2_001);
});

test('Lines that are no messages are ignored, and so is a flood of messages', async () => {
  const flood = `for (let i = 0; i < 5_000; i++) send({ method: 'notifications/message', params: { level: 'info', data: i } });`;
  const { call } = await loadMcp(
    source,
    server(`console.log('{not json'); console.log('[1]'); ${flood} ${done}`),
  );
  expect(await call('act')).toEqual({ type: 'value', value: 'done' });
});

test('A message that never ends stops the program, and the call fails', async () => {
  const { call } = await loadMcp(
    source,
    server(
      `const more = () => { while (process.stdout.write('{'.repeat(1024 * 1024))); process.stdout.once('drain', more); }; more();`,
    ),
  );
  expect(await call('act')).toMatchObject({
    type: 'error',
    message: expect.stringContaining('not known whether'),
  });
});

test('A program that ends in the middle of a call fails the call, and names its log', async () => {
  const { call } = await loadMcp(source, server(`process.exit(7)`));
  expect(await call('act')).toMatchObject({
    type: 'error',
    message: expect.stringContaining('executor sources logs test'),
  });
  await expect.poll(() => logOf().at(-1)?.text).toContain('ended with code 7');
});
