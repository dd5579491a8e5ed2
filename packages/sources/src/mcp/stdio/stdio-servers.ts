import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { type Clock, type SourceLogLine, systemClock } from '@executor/engine';
import { shortText } from '../call/short-text.ts';
import { loadSdk } from '../sdk.ts';
import type { McpSettings } from '../settings.ts';
import { requireProgram } from './require-program.ts';
import { inheritedEnvironment, type ProgramStart, StdioProcess } from './stdio-process.ts';
import { StdioTransport } from './stdio-transport.ts';

/** Changes how a program is started, to keep it away from Executor's own files. */
export type Confine = (program: { command: string; args: string[] }) => { command: string; args: string[] };

interface Options {
  clock?: Pick<Clock, 'elapsed'>;
  confine?: Confine | undefined;
}

interface StartRecord {
  starts: number;
  /** Of the last start. */
  endedAt: number | undefined;
  startedAt: number;
  failures: number;
  /** What was started, as text. A changed program has not failed yet. */
  program: string;
}

/** A program that ran this long is started again at once. */
const stableMs = 60_000;
const firstPauseMs = 500;
const maxPauseMs = 60_000;
const maxLineChars = 2_000;

/** Starts the programs of sources. One that ends again and again is started less and less often. */
export class StdioServers {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #confine: Confine;
  readonly #records = new Map<string, StartRecord>();

  constructor({ clock = systemClock, confine = (program) => program }: Options = {}) {
    this.#clock = clock;
    this.#confine = confine;
  }

  countOf(sourceId: string): number {
    return this.#records.get(sourceId)?.starts ?? 0;
  }

  /** Whether a program that was started after `starts` has ended by itself. */
  hasEndedSince(sourceId: string, starts: number): boolean {
    const record = this.#records.get(sourceId);
    return record !== undefined && record.starts > starts && record.endedAt !== undefined;
  }

  forget(sourceId: string): void {
    this.#records.delete(sourceId);
  }

  async open(
    sourceId: string,
    settings: McpSettings,
    { onLog }: { onLog(text: SourceLogLine['text']): void },
  ): Promise<StdioTransport> {
    const { parseJSONRPCMessage } = await loadSdk();
    const { command = '', args = [], cwd = homedir(), env = {} } = settings;
    if (!existsSync(cwd)) throw new Error(`The folder ${cwd} does not exist.`);
    requireProgram(command, cwd, env.PATH);
    const record = this.#records.get(sourceId) ?? {
      starts: 0,
      startedAt: 0,
      endedAt: undefined,
      failures: 0,
      program: '',
    };
    this.#records.set(sourceId, record);
    const described = JSON.stringify([command, args, cwd, env]);
    if (record.program !== described) record.failures = 0;
    record.program = described;
    this.#requirePause(record);
    const lines = new Lines(onLog);
    const program: ProgramStart = {
      ...this.#confine({ command, args }),
      cwd,
      env: { ...inheritedEnvironment(), ...env },
    };
    return new StdioTransport({
      parse: parseJSONRPCMessage,
      start: () => {
        record.starts += 1;
        record.startedAt = this.#clock.elapsed();
        record.endedAt = undefined;
        onLog(`Executor starts ${command}.`);
        return new StdioProcess(program);
      },
      onStderr: (chunk) => lines.add(chunk),
      onEnd: ({ code, signal, wasClosed }) => {
        lines.end();
        onLog(`${command} has ended${code === null ? ` by ${signal}` : ` with code ${code}`}.`);
        if (wasClosed) return;
        record.endedAt = this.#clock.elapsed();
        record.failures = record.endedAt - record.startedAt < stableMs ? record.failures + 1 : 0;
      },
    });
  }

  #requirePause({ failures, endedAt }: StartRecord): void {
    // The first time, the program may have ended because of the request by which the era is found out.
    if (endedAt === undefined || failures < 2) return;
    const pause = Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 2));
    const left = endedAt + pause - this.#clock.elapsed();
    if (left <= 0) return;
    throw new Error(
      `The program has ended ${failures} times in a row. Executor starts it again in ${Math.ceil(left / 1_000)} s at the earliest.`,
    );
  }
}

/** Lines of standard error. A line without an end is cut, so that it needs no memory. */
class Lines {
  readonly #onLine: (text: string) => void;
  readonly #decoder = new TextDecoder();
  #open = '';

  constructor(onLine: (text: string) => void) {
    this.#onLine = onLine;
  }

  add(chunk: Buffer): void {
    const lines = (this.#open + this.#decoder.decode(chunk, { stream: true })).split('\n');
    this.#open = (lines.pop() ?? '').slice(0, maxLineChars + 1);
    // A flood would fill the log anyway.
    for (const line of lines.slice(-1_000)) this.#add(line);
  }

  end(): void {
    this.#add(this.#open);
    this.#open = '';
  }

  #add(line: string): void {
    const text = line.trimEnd();
    if (text !== '') this.#onLine(shortText(text, maxLineChars));
  }
}
