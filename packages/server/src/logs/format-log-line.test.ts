import { expect, test } from 'vitest';
import { formatLogLine } from './format-log-line.ts';

test('A log line is shown as time, level, message and fields', () => {
  const line =
    '{"level":"info","time":"2026-01-02T03:04:05.006Z","path":"/v1/me","ms":1.5,"note":"two words","msg":"request"}\n';
  expect(formatLogLine(line, false)).toBe(
    '2026-01-02 03:04:05.006 info  request path=/v1/me ms=1.5 note="two words"',
  );
});

test('An error keeps its stack, and colours are used only on request', () => {
  const line =
    '{"level":"error","time":"2026-01-02T03:04:05.006Z","err":{"message":"no","stack":"Error: no\\n    at x"},"msg":"request failed"}';
  expect(formatLogLine(line, false)).toBe(
    '2026-01-02 03:04:05.006 error request failed\nError: no\n    at x',
  );
  expect(formatLogLine(line, true)).toContain('\u001b[31merror\u001b[39m');
});

test('Other lines are unchanged', () => {
  for (const line of ['', 'plain text', '{"half":', '[1,2]', '"text"'])
    expect(formatLogLine(line, false)).toBe(line);
});

test('An untrusted path cannot control the terminal', () => {
  const line = JSON.stringify({
    level: 'info',
    time: '2026-01-02T03:04:05.006Z',
    path: '/a\u009b31mRED\u202e',
    msg: 'request',
  });
  expect(formatLogLine(line, false)).toBe(
    '2026-01-02 03:04:05.006 info  request path="/a\\u{9b}31mRED\\u{202e}"',
  );
});
