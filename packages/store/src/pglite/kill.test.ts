import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { testProgram } from '../../test/open-embedded.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { assets } from '../../test/test-database.ts';
import { openStore } from '../open-store.ts';

const kills = process.env.EXECUTOR_TEST_LONG === '1' ? 100 : 2;

test(`a program killed ${kills} times while it writes loses nothing acknowledged`, async () => {
  const folder = temporaryFolder();
  const acknowledged: string[] = [];
  for (let round = 0; round < kills; round++) {
    const writer = startWriter(folder);
    const written = await writesUntilKilled(writer, Math.random() * 200);
    expect(written).not.toEqual([]);
    acknowledged.push(...written);
  }
  const store = await openStore({ folder, assets, onProblem: () => {} });
  onTestFinished(() => store.close());
  const installation = await store.installations.find();
  const kept = await allKeys((cursor) =>
    store.apiKeys.list(installation?.owner.workspaceId ?? '', { limit: 200, ...(cursor && { cursor }) }),
  );
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  // At most one key per kill was created but not reported.
  expect(kept.size - acknowledged.length).toBeLessThanOrEqual(kills);
}, 3_600_000);

function startWriter(folder: string): ChildProcess {
  const program = fileURLToPath(testProgram('writer.program'));
  const child = spawn(process.execPath, [program, folder, dirname(fileURLToPath(assets.pgliteWorker))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Lets the program write for a while after its first output. Returns the acknowledged ids. */
async function writesUntilKilled(writer: ChildProcess, milliseconds: number): Promise<string[]> {
  let output = '';
  writer.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  const closed = once(writer, 'close');
  await Promise.race([once(writer.stdout ?? writer, 'data'), closed]);
  await sleep(milliseconds);
  writer.kill('SIGKILL');
  await closed;
  // The last line may be incomplete.
  return output.split('\n').slice(0, -1);
}

async function allKeys(
  list: (cursor?: string) => Promise<{ items: { id: string }[]; nextCursor?: string }>,
): Promise<Set<string>> {
  const ids = new Set<string>();
  let page = await list();
  for (;;) {
    for (const { id } of page.items) ids.add(id);
    if (page.nextCursor === undefined) return ids;
    page = await list(page.nextCursor);
  }
}
