import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@executor/client';

/** One key that attacks, until the signal says that the time is over. */
interface Attacker {
  url: string;
  key: string;
  client: Client;
  signal: AbortSignal;
}

/** Attacks with an ordinary agent key, or with none. Each is repeated until the time is over. */
const attacks: Record<string, (attacker: Attacker) => Promise<unknown>> = {
  'deep signatures': runs(
    'for (;;) await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => tools.discover({ query: "deep", depth: 20 }).catch(() => {})))',
  ),
  'deep descriptions': runs(
    'for (;;) await tools.describe.tool({ path: "hostile.all.deep", depth: 20 }).catch(() => {})',
  ),
  'unknown paths': runs('for (let i = 0; ; i++) await tools.hostile["x" + i].y().catch(() => {})'),
  'large answers': runs(
    'await Promise.all(Array.from({ length: 64 }, () => tools.hostile.all.big({}).catch(() => {})))',
  ),
  'large results': runs('return Array.from({ length: 200_000 }, (_, i) => "result " + i)'),
  artifacts: runs(
    'for (let i = 0; i < 48; i++) await tools.executor.artifacts.put({ text: String(i).repeat(2_000_000) })',
  ),
  questions: runs(
    'await Promise.all(Array.from({ length: 300 }, (_, id) => tools.hostile.all.remove({ id }).catch(() => {})))',
  ),
  'allowed writes': runs('for (;;) await tools.hostile.all.note({}).catch(() => sleep(10))'),
  logs: runs('for (let i = 0; i < 2_000; i++) console.log("x".repeat(400))'),
  loops: runs('for (;;);'),
  'native loops': runs('Array.prototype.join.call({ length: 2 ** 32 - 1 })'),
  'regular expressions': runs('/^(a+)+$/.test("a".repeat(40) + "b")'),
  'memory bombs': runs('const a = []; for (;;) a.push("x".repeat(1e6) + a.length)'),
  'many runs': async ({ client }) => {
    const code = 'await sleep(200); return 1';
    await Promise.allSettled(
      Array.from({ length: 150 }, () => client.executions.create({ code, typecheck: false })),
    );
  },
  'pages of calls': async ({ client }) => {
    const [run] = (await client.executions.list({ limit: 1 })).items;
    if (run === undefined) return sleep(100);
    return Promise.allSettled(
      Array.from({ length: 40 }, () => client.executions.calls({ id: run.id, limit: 100 })),
    );
  },
  'large bodies': ({ client }) =>
    Promise.allSettled(
      Array.from({ length: 8 }, () =>
        client.executions.create({ code: `return "${'x'.repeat(900_000)}".length`, typecheck: false }),
      ),
    ),
  'unread responses': ({ url, key, signal }) =>
    holdConnections(url, signal, {
      count: 40,
      request: `GET /v1/openapi.json HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`.repeat(20),
    }),
  'silent connections': ({ url, signal }) =>
    holdConnections(url, signal, { count: 400, request: 'GET /v1/' }),
  'requests without a key': ({ url }) =>
    Promise.allSettled(
      Array.from({ length: 20 }, () =>
        fetch(`${url}/v1/${'x'.repeat(4_000)}`).then((answer) => answer.text()),
      ),
    ),
  'event streams': async ({ client, signal }) => {
    const [run] = (await client.executions.list({ limit: 1 })).items;
    if (run === undefined) return sleep(100);
    const follow = async () => {
      for await (const _event of client.executions.events({ id: run.id }, { signal })) await sleep(20);
    };
    return Promise.allSettled(Array.from({ length: 40 }, follow));
  },
};

/** Runs all attacks at once with each key, and counts how often each was carried out. */
export async function attackWith(
  keys: string[],
  { url, signal }: Pick<Attacker, 'url' | 'signal'>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const attackOnce = async (name: string, attacker: Attacker) => {
    await attacks[name]?.(attacker).catch(() => sleep(50));
    counts[name] = (counts[name] ?? 0) + 1;
    // Even an attacker that is refused at once cannot send without a pause.
    await sleep(20);
  };
  await Promise.all(
    keys.flatMap((key) => {
      const client = createClient({ url, token: key, timeoutMs: 30_000 });
      return Object.keys(attacks).map(async (name) => {
        while (!signal.aborted) await attackOnce(name, { url, key, client, signal });
      });
    }),
  );
  return counts;
}

function runs(code: string) {
  return ({ client, signal }: Attacker) =>
    client.executions.create({ code, typecheck: false, waitMs: 20_000 }, { signal });
}

/** Opens connections to the server, sends a part of a request or many requests, and never reads. */
async function holdConnections(
  url: string,
  signal: AbortSignal,
  { count, request }: { count: number; request: string },
): Promise<void> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    socket.write(request.replace('host: x', `host: ${hostname}:${port}`));
    return socket.pause();
  });
  const closed = Promise.all(sockets.map((socket) => once(socket, 'close').catch(() => {})));
  await Promise.race([closed, sleep(15_000), once(signal, 'abort')]);
  for (const socket of sockets) socket.destroy();
}
