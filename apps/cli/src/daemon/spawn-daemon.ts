import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateFolder, openToAppend, readPrivateFile, unusable } from '@executor/home';
import { ErrorBody, ExecutorError, fromErrorBody } from '@executor/protocol';
import * as z from 'zod';
import { programPath } from '../assets.ts';
import type { Environment } from '../environment.ts';

/** The message of a starting daemon to the command that started it. */
export const DaemonReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('failed'), body: ErrorBody }),
]);
export type DaemonReport = z.infer<typeof DaemonReport>;

type Report = DaemonReport | { type: 'ended'; how: string };

const patienceMs = 60_000;

/** Starts a daemon that outlives this process. `lost` means that another daemon has the lock. */
export async function spawnDaemon(
  environment: Environment,
  flags: { port?: string | undefined },
): Promise<'ready' | 'lost'> {
  const { folders } = environment;
  ensurePrivateFolder(folders.logs);
  ensurePrivateFolder(folders.data);
  const output = openOutput(join(folders.logs, 'daemon-output.log'));
  const child = startProcess(environment, flags, output.descriptor);
  const report = await firstReport(child);
  if (child.connected) child.disconnect();
  child.unref();
  closeSync(output.descriptor);
  switch (report.type) {
    case 'ready':
      return 'ready';
    case 'failed':
      if (report.body.error.code === 'alreadyRunning') return 'lost';
      throw fromErrorBody(report.body);
    case 'ended':
      throw new ExecutorError(
        'noServer',
        `The daemon ended while it started (${report.how}). ${output.lastOutput()}`,
      );
  }
}

function startProcess(
  { folders, variables }: Environment,
  { port }: { port?: string | undefined },
  output: number,
): ChildProcess {
  return spawn(
    process.execPath,
    [...runtimeFlags, programPath, 'daemon', ...(port ? ['--port', port] : [])],
    {
      cwd: folders.data,
      detached: true,
      // A relative home is relative to the working folder of the command, which the daemon does not share.
      env: { ...variables, ...(variables.EXECUTOR_HOME && { EXECUTOR_HOME: folders.home }) },
      stdio: ['ignore', output, output, 'ipc'],
      windowsHide: true,
    },
  );
}

function firstReport(child: ChildProcess): Promise<Report> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve({ type: 'ended', how: `it was not ready after ${patienceMs / 1000} seconds` });
    }, patienceMs);
    const settle = (report: Report) => {
      clearTimeout(timer);
      resolve(report);
    };
    child.once('message', (message) => settle(DaemonReport.parse(message)));
    child.once('error', (error) => settle({ type: 'ended', how: error.message }));
    child.once('exit', (code, signal) => settle({ type: 'ended', how: signal ?? `exit code ${code}` }));
  });
}

/**
 * Flags that keep the daemon's memory small, because it is idle most of the time: a small young generation, few helper threads (each has a
 * heap of its own), and a collection before the heap has grown by half.
 */
const runtimeFlags = ['--max-semi-space-size=2', '--v8-pool-size=2', '--heap-growing-percent=30'];

const maxOutputBytes = 1024 * 1024;

/** The daemon writes its log itself. This file gets what the runtime prints when it crashes. */
function openOutput(path: string): { descriptor: number; lastOutput(): string } {
  try {
    const descriptor = openToAppend(path);
    if (fstatSync(descriptor).size > maxOutputBytes) ftruncateSync(descriptor);
    const from = fstatSync(descriptor).size;
    return {
      descriptor,
      lastOutput() {
        const words = Buffer.from(readPrivateFile(path)).subarray(from).toString().trim().slice(-1500);
        return words ? `Its last output:\n${words}` : 'It printed nothing.';
      },
    };
  } catch (error) {
    throw unusable(path, error);
  }
}
