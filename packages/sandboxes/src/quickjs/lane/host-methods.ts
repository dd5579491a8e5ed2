import type { RawError, VmLimits } from '../messages.ts';
import { hostMethods } from './image.ts';
import type { HostArguments, Machine, Value } from './machine.ts';
import { parseRawError } from './raw-error.ts';
import {
  changeUrl,
  decodeText,
  formatDate,
  formatNumber,
  formatQuery,
  parseQuery,
  parseUrl,
} from './web-services.ts';

/**
 * What the prelude can ask of its host. This is the boundary: arguments may be anything, however wrong, and are read only
 * when they are the string or number that is expected. A refusal is answered with a sentence, never thrown.
 */
export function answerHostCall(vm: BridgedVm, method: number, args: HostArguments): Value {
  const answer = methods[method]?.(vm, new Arguments(vm.machine, args));
  if (typeof answer === 'string') return vm.machine.newString(answer);
  if (typeof answer === 'number') return vm.machine.newNumber(answer);
  if (answer instanceof Uint8Array) return vm.machine.newBytes(answer);
  return vm.machine.undefined();
}

/** What the bridge knows and changes of a VM. */
export interface BridgedVm {
  readonly machine: Machine;
  readonly limits: VmLimits;
  readonly events: VmEvents;
  readonly outstanding: Map<number, number>;
  outstandingBytes: number;
  calls: number;
  logs: number;
  logBytes: number;
  readonly unlogged: { lines: number; bytes: number };
  settled: { type: 'returned'; json: string } | { type: 'threw'; error: RawError } | undefined;
}

export interface VmEvents {
  call(index: number, path: string, input: Uint8Array): void;
  abandon(index: number): void;
  log(index: number, level: string, text: string): void;
}

type HostMethod = (typeof hostMethods)[number];
type Answer = string | number | Uint8Array | undefined;

class Arguments {
  constructor(
    private readonly machine: Machine,
    private readonly args: HostArguments,
  ) {}

  text(position: number): string | undefined {
    const value = this.machine.argument(this.args, position);
    return value !== undefined && this.machine.isString(value) ? this.machine.readString(value) : undefined;
  }

  bytes(position: number): Uint8Array | undefined {
    const value = this.machine.argument(this.args, position);
    if (value === undefined || !this.machine.isString(value)) return undefined;
    return this.machine.readBytes(value, (at, length) =>
      Buffer.from(this.machine.bytes.subarray(at, at + length)),
    );
  }

  number(position: number): number | undefined {
    const value = this.machine.argument(this.args, position);
    return value !== undefined && this.machine.isNumber(value) ? this.machine.readNumber(value) : undefined;
  }
}

const maxPathBytes = 1000;
const levels = ['debug', 'info', 'log', 'warn', 'error'];

type Method = (vm: BridgedVm, args: Arguments) => Answer;

const methodsByName: Record<HostMethod, Method> = {
  /** Answers the call's index, or why it is refused. */
  call(vm, args) {
    const path = args.text(0);
    const input = args.bytes(1);
    if (path === undefined || input === undefined || path.length > maxPathBytes)
      return 'The call is malformed.';
    const refusal = refuseCall(vm, input.length);
    if (refusal) return refusal;
    const index = vm.calls++;
    vm.outstanding.set(index, input.length);
    vm.outstandingBytes += input.length;
    vm.events.call(index, path, input);
    return index;
  },

  abandon(vm, args) {
    const index = args.number(0) ?? -1;
    const bytes = vm.outstanding.get(index);
    if (bytes === undefined) return undefined;
    vm.outstanding.delete(index);
    vm.outstandingBytes -= bytes;
    vm.events.abandon(index);
    return undefined;
  },

  log(vm, args) {
    const level = args.text(0) ?? '';
    const text = args.text(1);
    if (text === undefined || !levels.includes(level)) return undefined;
    const bytes = Buffer.byteLength(text);
    const isFull = vm.unlogged.lines > 0;
    if (!isFull && vm.logBytes + bytes <= vm.limits.logBytes) {
      vm.logBytes += bytes;
      vm.events.log(vm.logs++, level, text);
      return undefined;
    }
    vm.unlogged.lines += 1;
    vm.unlogged.bytes += bytes;
    const sentence = `The log may have ${vm.limits.logBytes} bytes; this line and all after it are left out.`;
    if (!isFull) vm.events.log(vm.logs++, 'warn', sentence);
    return undefined;
  },

  /** Answers why a result is refused. */
  settle(vm, args) {
    const json = args.text(1);
    if (vm.settled || json === undefined) return undefined;
    if (args.text(0) !== 'returned') {
      countUnlogged(vm);
      vm.settled = { type: 'threw', error: parseRawError(json) };
      return undefined;
    }
    const bytes = Buffer.byteLength(json);
    if (bytes > vm.limits.resultBytes) {
      return `The result has ${bytes} bytes of JSON; ${vm.limits.resultBytes} are allowed. Return less, or store it with tools.executor.artifacts.put and return its handle.`;
    }
    countUnlogged(vm);
    vm.settled = { type: 'returned', json };
    return undefined;
  },

  parseUrl: (_vm, args) => parseUrl(args.text(0) ?? '', args.text(1)),
  changeUrl: (_vm, args) => changeUrl(args.text(0) ?? '', args.text(1) ?? '', args.text(2) ?? ''),
  parseQuery: (_vm, args) => parseQuery(args.text(0) ?? ''),
  formatQuery: (_vm, args) => formatQuery(args.text(0) ?? '[]'),
  formatNumber: (_vm, args) => formatNumber(args.text(0) ?? '{}', args.text(1) ?? ''),
  formatDate: (_vm, args) => formatDate(args.text(0) ?? '{}', args.number(1)),
  encodeText: (_vm, args) => Buffer.from(args.text(0) ?? '', 'utf8'),
  decodeText: (_vm, args) => decodeText(args.text(0) ?? '', args.text(1) ?? '', args.text(2) ?? '{}'),
};

/** The last line of a log that was too long says how much of it is missing. */
function countUnlogged(vm: BridgedVm): void {
  const { lines, bytes } = vm.unlogged;
  if (lines === 0) return;
  const what = lines === 1 ? '1 line' : `${lines} lines`;
  vm.events.log(vm.logs++, 'warn', `${what} of ${bytes} bytes did not fit into the log.`);
}
const methods: Method[] = hostMethods.map((name) => methodsByName[name]);

function refuseCall(vm: BridgedVm, bytes: number): string | undefined {
  const { calls, outstandingCalls, callBytes, outstandingBytes } = vm.limits;
  if (vm.calls >= calls) return `A run may make ${calls} calls; this would be one more.`;
  if (vm.outstanding.size >= outstandingCalls) {
    return `${outstandingCalls} calls may be open at once; await some of them before making more.`;
  }
  if (bytes > callBytes) return `The input has ${bytes} bytes of JSON; ${callBytes} are allowed.`;
  if (vm.outstandingBytes + bytes > outstandingBytes) {
    return `The inputs of open calls may have ${outstandingBytes} bytes together; await some of them first.`;
  }
  return undefined;
}
