import { spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';

/**
 * How a child process is isolated from the rest of the machine, in addition to WebAssembly. Both kinds have an empty environment.
 *
 * - `permissions`: Node denies files, processes and threads. It does not deny the network.
 * - `bubblewrap`: namespaces around that. No network and no other processes. Only the system's libraries, Node and the child's own program
 *   are readable, and nothing is writable.
 */
export interface Confinement {
  kind: 'bubblewrap' | 'permissions';
  /** One sentence for `doctor`. */
  detail: string;
  /** For `permissions`: whether the system can end a child with its server. A child in a native loop would not notice by itself. */
  endsWithServer?: boolean;
}

export interface ChildCommand {
  command: string;
  args: string[];
  /** Whether descriptor 4 reports the pid of the process that does the work, because the started process only waits for it. */
  reportsPid: boolean;
}

const bubblewrap = 'bwrap';
const setpriv = 'setpriv';
const endWithParent = ['--pdeathsig', 'KILL'];
const probeMs = 5_000;

/** Tries bubblewrap on this machine. It may be missing, or may not be allowed to create namespaces. */
export async function probeConfinement(): Promise<Confinement> {
  const probe = ['-e', 'process.exit(0)'];
  const { command, args } = confined({ kind: 'bubblewrap', detail: '' }, process.execPath, probe);
  const failure = await failureOf(command, args);
  if (failure === undefined)
    return { kind: 'bubblewrap', detail: 'Sandbox processes run in their own namespaces.' };
  const detail = `bubblewrap does not work here (${failure}), so sandbox processes are confined by WebAssembly and Node's permissions.`;
  const endsWithServer =
    (await failureOf(setpriv, [...endWithParent, process.execPath, ...probe])) === undefined;
  return { kind: 'permissions', detail, endsWithServer };
}

/** Why a program does not work here. Undefined if it works. */
function failureOf(command: string, args: string[]): Promise<string | undefined> {
  return new Promise((done) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'pipe'],
      env: {},
      timeout: probeMs,
    });
    let output = '';
    child.stderr?.on('data', (data) => {
      output += data;
    });
    child.on('error', () => done('it is not installed'));
    child.on('exit', (code) =>
      done(code === 0 ? undefined : output.trim().split('\n')[0] || `it exited with code ${code}`),
    );
  });
}

/** The command that runs one of the sandbox's programs in a child process. The process may read only `folder`. */
export function childCommand(confinement: Confinement, program: string, folder: string): ChildCommand {
  // Node 20 and 22 know only --experimental-permission, Node 24 only --permission.
  const name = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  const permissions = ['--no-warnings', name, `--allow-fs-read=${resolve(folder)}/*`];
  // Deep recursion must reach the engine's own limit first. Newer versions of Node need more stack per frame. Systems usually allow 8 MB.
  const stack = ['--stack-size=5500'];
  // A child keeps little memory: a small young generation, and one helper thread, because each thread has a heap of its own.
  const memory = ['--expose-gc', '--max-old-space-size=512', '--max-semi-space-size=1', '--v8-pool-size=1'];
  const args = [...permissions, ...stack, ...memory, resolve(folder, program), resolve(folder)];
  return confined(confinement, resolve(folder), args);
}

function confined({ kind, endsWithServer }: Confinement, readable: string, args: string[]): ChildCommand {
  if (kind !== 'bubblewrap') {
    // setpriv replaces itself with the program, so the pid stays the same.
    return endsWithServer
      ? { command: setpriv, args: [...endWithParent, process.execPath, ...args], reportsPid: false }
      : { command: process.execPath, args, reportsPid: false };
  }
  const node = dirname(process.execPath);
  const system = ['/usr/lib', '/usr/lib64', '/lib', '/lib64'].flatMap((path) => [
    '--ro-bind-try',
    path,
    path,
  ]);
  return {
    command: bubblewrap,
    args: [
      // No --new-session: Linux schedules sessions against each other, so a low priority would have no effect. There is no terminal to reach.
      ...['--unshare-all', '--unshare-user', '--die-with-parent', '--as-pid-1'],
      ...['--cap-drop', 'ALL', '--clearenv', '--info-fd', '4'],
      ...system,
      ...['--ro-bind', process.execPath, process.execPath, '--proc', '/proc', '--chdir', node],
      ...['--ro-bind', readable, readable],
      // The root is a file system in memory, without a limit.
      ...['--remount-ro', '/'],
      '--',
      process.execPath,
      ...args,
    ],
    reportsPid: true,
  };
}
