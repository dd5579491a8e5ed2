import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('../../cli/bin/executor.js', import.meta.url));

/** The built product, started by its command line, with a home of its own. */
export async function startDaemon() {
  const home = await mkdtemp(join(tmpdir(), 'executor-web-'));
  const env = { ...process.env, EXECUTOR_HOME: home, EXECUTOR_PORT: '0', EXECUTOR_DATABASE_URL: '' };
  const executor = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
    return stdout.trim();
  };
  await executor('up');
  const { pid, url } = JSON.parse(await readFile(join(home, 'run', 'daemon.json'), 'utf8'));
  return {
    url: url as string,
    executor,
    /** Kills it, which is quicker than a proper end. */
    async stop() {
      process.kill(pid, 'SIGKILL');
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
