import { spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';

/**
 * How a child process is kept from the rest of the machine, beyond WASM. `permissions` is Node's own refusal of files, processes and
 * threads; it does not cover the network. `bubblewrap` adds namespaces around that: no network, no processes of others, no files but the
 * system's libraries, Node and its own program, and nothing that can be written. Both have an empty environment.
 */
export interface Confinement {
  kind: 'bubblewrap' | 'permissions';
  /** One sentence for `doctor`. */
  detail: string;
  /** With `permissions`: whether the system can be told to end a child with its server, which one in a native loop never hears of. */
  endsWithServer?: boolean;
}

export interface ChildCommand {
  command: string;
  args: string[];
  /** Whether the process that does the work is told on descriptor 4, because the one we start only waits for it. */
  tellsPid: boolean;
}

const bubblewrap = 'bwrap';
const setpriv = 'setpriv';
const endWithParent = ['--pdeathsig', 'KILL'];
const probeMs = 5_000;

/** Tries bubblewrap on this machine: it may be missing, or forbidden to make namespaces. */
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

/** Why a program does not work here; undefined where it does. */
function failureOf(command: string, args: string[]): Promise<string | undefined> {
  return new Promise((done) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'pipe'],
      env: {},
      timeout: probeMs,
    });
    let said = '';
    child.stderr?.on('data', (data) => {
      said += data;
    });
    child.on('error', () => done('it is not installed'));
    child.on('exit', (code) =>
      done(code === 0 ? undefined : said.trim().split('\n')[0] || `it ended with ${code}`),
    );
  });
}

/** The command that runs a program of ours in a child process; `folder` is all that it may read. */
export function childCommand(confinement: Confinement, program: string, folder: string): ChildCommand {
  // Node 20 and 22 know the flag only by its first name, Node 24 only by its second.
  const name = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  const permissions = ['--no-warnings', name, `--allow-fs-read=${resolve(folder)}/*`];
  // Deep recursion must meet the engine's own limit, on every Node: newer ones need more room per frame. 8 MB are usual.
  const flags = ['--stack-size=5500', '--expose-gc', '--max-old-space-size=512'];
  const args = [...permissions, ...flags, resolve(folder, program), resolve(folder)];
  return confined(confinement, resolve(folder), args);
}

function confined({ kind, endsWithServer }: Confinement, readable: string, args: string[]): ChildCommand {
  if (kind !== 'bubblewrap') {
    // It becomes what it starts, so the process is the one that we know.
    return endsWithServer
      ? { command: setpriv, args: [...endWithParent, process.execPath, ...args], tellsPid: false }
      : { command: process.execPath, args, tellsPid: false };
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
      // No session of its own: Linux weighs sessions against each other, and a lane in the background would be as heavy as before.
      // There is no terminal that it could reach.
      ...['--unshare-all', '--unshare-user', '--die-with-parent', '--as-pid-1'],
      ...['--cap-drop', 'ALL', '--clearenv', '--info-fd', '4'],
      ...system,
      ...['--ro-bind', process.execPath, process.execPath, '--proc', '/proc', '--chdir', node],
      ...['--ro-bind', readable, readable],
      // What the rest hangs in is memory of ours, without a limit.
      ...['--remount-ro', '/'],
      '--',
      process.execPath,
      ...args,
    ],
    tellsPid: true,
  };
}
