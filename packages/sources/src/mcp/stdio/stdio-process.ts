import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';

export interface ProgramStart {
  command: string;
  args: string[];
  cwd?: string | undefined;
  env: Record<string, string>;
}

/**
 * Ends the whole process group when descriptor 3 closes, and it closes when Executor ends, however that happens. `$0` is the program. The
 * watcher keeps none of the program's streams, and the program not the descriptor.
 */
const guardScript = `(exec 0</dev/null 1>/dev/null 2>/dev/null; read -r _ <&3; kill -KILL 0) & exec "$0" "$@" 3<&-`;

/** A program with its descendants. None of them outlives Executor. */
export class StdioProcess {
  readonly child: ChildProcess;
  readonly #guard: Duplex | undefined;

  constructor({ command, args, cwd, env }: ProgramStart) {
    const isWindows = process.platform === 'win32';
    const [program, list] = isWindows ? [command, args] : ['/bin/sh', ['-c', guardScript, command, ...args]];
    this.child = spawn(program, list, {
      env,
      cwd,
      // A group of its own, which the guard ends.
      detached: !isWindows,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe', ...(isWindows ? [] : ['pipe' as const])],
    });
    this.#guard = (this.child.stdio[3] as Duplex | null | undefined) ?? undefined;
    this.#guard?.on('error', () => {});
    // The descendants of a program that has ended are ended too.
    this.child.on('exit', () => this.#guard?.destroy());
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null || this.child.pid === undefined;
  }

  kill(): void {
    this.#guard?.destroy();
    this.child.kill('SIGKILL');
  }
}

const inherited =
  process.platform === 'win32'
    ? [
        ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT'],
        ...['PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP'],
        ...['USERNAME', 'USERPROFILE', 'WINDIR'],
      ]
    : ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];

/** The variables that every program gets, as in the SDK. */
export function inheritedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    inherited.flatMap((name) => {
      const value = process.env[name];
      // A value that starts so is a function of a shell.
      return value === undefined || value.startsWith('()') ? [] : [[name, value]];
    }),
  );
}
