import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { withDaemon } from './daemon.ts';
import type { Figure } from './figure.ts';

const rounds = 3;
const maxSeconds = 3;

/** Measures how long a user waits if no probe of a URL gets an answer. */
export async function measureDetection(): Promise<Figure[]> {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  try {
    return await withDaemon(async (daemon) => {
      const client = daemon.client();
      const seconds: number[] = [];
      let probes = 0;
      for (let round = 0; round < rounds; round++) {
        const startedAt = performance.now();
        const { details } = await client.sources.detect({ url }).then(
          () => Promise.reject(new Error('A silent server was recognised.')),
          (error: { details?: { probes?: unknown[] } }) => error,
        );
        seconds.push((performance.now() - startedAt) / 1_000);
        probes = details?.probes?.length ?? 0;
      }
      const worst = Math.max(...seconds);
      const name = 'detect a URL, every probe timing out';
      return [
        { name, value: worst, unit: 's', target: maxSeconds, note: `${probes} probes, worst of ${rounds}` },
      ];
    });
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
}
