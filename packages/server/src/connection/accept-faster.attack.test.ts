import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../listen.ts';
import { copies } from './accept-faster.ts';

/** Opens connections and sends nothing. */
const flood = `const { connect } = require('node:net');
  const [port, count] = process.argv.slice(1).map(Number);
  const opened = Array.from({ length: count }, () => new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', resolve);
    socket.on('error', resolve);
  }));
  Promise.all(opened).then(() => console.log('open'));
  process.stdin.on('end', () => process.exit()).resume();`;

async function openMany(port: number, count: number): Promise<void> {
  const child = spawn(process.execPath, ['-e', flood, String(port), String(count)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
}

test('Connections that a program opens at once delay a later one by few turns of the event loop', async () => {
  const app = new Hono();
  app.get('/', (http) => http.text('here'));
  const listener = await listen(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listener.close(0));
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  const before = sockets();
  await openMany(listener.port, 100);
  await expect.poll(sockets, { timeout: 20_000 }).toBeGreaterThanOrEqual(before + 100 + copies);
  // The system accepts them while this process does nothing.
  const { port } = listener;
  const flooding = spawn(process.execPath, ['-e', flood, String(port), '600'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void flooding.kill('SIGKILL'));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
  let turns = 0;
  let isAnswered = false;
  const answer = fetch(`http://127.0.0.1:${port}/`).then((response) => {
    isAnswered = true;
    return response.text();
  });
  while (!isAnswered) {
    turns += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await answer).toBe('here');
  expect(turns).toBeLessThan(200);
});
