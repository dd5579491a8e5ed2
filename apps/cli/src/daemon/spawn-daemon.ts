import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateFolder, type Folders, unusable } from '@executor/home';
import { ErrorBody, ExecutorError, fromErrorBody } from '@executor/protocol';
import * as z from 'zod';
import { programPath } from '../assets.ts';

/** What a starting daemon tells the command that started it. */
export const DaemonReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('failed'), body: ErrorBody }),
]);
export type DaemonReport = z.infer<typeof DaemonReport>;

/** Starts a daemon that outlives this process. `lost`: another one was first. */
export async function spawnDaemon(
  folders: Folders,
  { port }: { port?: string | undefined },
): Promise<'ready' | 'lost'> {
  ensurePrivateFolder(folders.logs);
  ensurePrivateFolder(folders.data);
  // The log is written by the daemon itself; this is for what the runtime prints when it dies.
  const outputPath = join(folders.logs, 'daemon-output.log');
  const output = openOutput(outputPath);
  const child = spawn(
    process.execPath,
    [...runtimeFlags, programPath, 'daemon', ...(port ? ['--port', port] : [])],
    {
      cwd: folders.data,
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
      windowsHide: true,
    },
  );
  closeSync(output);
  const report = await new Promise<DaemonReport | { type: 'ended'; how: string }>((resolve) => {
    child.once('message', (message) => resolve(DaemonReport.parse(message)));
    child.once('error', (error) => resolve({ type: 'ended', how: error.message }));
    child.once('exit', (code, signal) => resolve({ type: 'ended', how: signal ?? `exit code ${code}` }));
  });
  if (child.connected) child.disconnect();
  child.unref();
  switch (report.type) {
    case 'ready':
      return 'ready';
    case 'failed':
      if (report.body.error.code === 'alreadyRunning') return 'lost';
      throw fromErrorBody(report.body);
    case 'ended':
      throw new ExecutorError(
        'noServer',
        `The daemon ended while it started (${report.how}). ${lastWords(outputPath)}`,
      );
  }
}

/** A small young generation: the daemon idles most of its life, and this is memory that it would keep. */
const runtimeFlags = ['--max-semi-space-size=4'];

function openOutput(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    throw unusable(path, error);
  }
}

function lastWords(path: string): string {
  const words = readFileSync(path, 'utf8').trim().slice(-1500);
  return words ? `It said:\n${words}` : 'It said nothing.';
}
