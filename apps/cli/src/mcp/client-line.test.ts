import { expect, test } from 'vitest';
import { headersOf, readLine } from './client-line.ts';

function headers(method: string, params: object): Record<string, string> {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const line = readLine(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }));
  return line ? headersOf(line) : {};
}

test('The headers repeat the method and name of a message of version 2026-07-28', () => {
  const version = { 'mcp-protocol-version': '2026-07-28' };
  expect(headers('tools/list', {})).toEqual({ ...version, 'mcp-method': 'tools/list' });
  expect(headers('tools/call', { name: 'execute' })).toEqual({
    ...version,
    'mcp-method': 'tools/call',
    'mcp-name': 'execute',
  });
  expect(headers('tasks/get', { taskId: 'exe_1' })).toEqual({
    ...version,
    'mcp-method': 'tasks/get',
    'mcp-name': 'exe_1',
  });
});
