import { countParts } from '../messages/json-parts.ts';
import { costOfLine, maxBytesOfLine } from '../messages/log-budget.ts';
import { maxErrorBytes, maxPathBytes, type RawError, type VmLimits } from '../messages/messages.ts';
import { maxTextBytes } from '../prelude/contract.ts';
import { Arguments } from './host-arguments.ts';
import { hostMethods } from './image.ts';
import type { HostArguments, Machine, Value } from './machine.ts';
import { parseRawError } from './raw-error.ts';
import {
  changeUrl,
  compareTexts,
  decodeText,
  encodeText,
  formatDate,
  formatNumber,
  formatQuery,
  parseQuery,
  parseUrl,
  pluralForm,
} from './web-services.ts';

/**
 * Answers the calls of the prelude. This is the security boundary: arguments may be anything, and are read only if they have the expected
 * type. A refusal is returned as a sentence, never thrown.
 */
export function answerHostCall(vm: BridgedVm, method: number, args: HostArguments): Value {
  const answer = methods[method]?.(vm, new Arguments(vm.machine, args));
  if (typeof answer === 'string') return vm.machine.newString(answer);
  if (typeof answer === 'number') return vm.machine.newNumber(answer);
  if (answer instanceof Uint8Array) return vm.machine.newBytes(answer);
  return vm.machine.undefined();
}

/** The state of a VM that host methods read and change. */
export interface BridgedVm {
  readonly machine: Machine;
  readonly limits: VmLimits;
  readonly events: VmEvents;
  readonly outstanding: Map<number, number>;
  outstandingBytes: number;
  calls: number;
  logs: number;
  logBytes: number;
  omittedLines: number;
  settled: { type: 'returned'; json: string } | { type: 'threw'; error: RawError } | undefined;
}

export interface VmEvents {
  call(index: number, path: string, input: Uint8Array): void;
  abandon(index: number): void;
  log(index: number, level: string, text: string): void;
}

type HostMethod = (typeof hostMethods)[number];
type Answer = string | number | Uint8Array | undefined;

const maxLevelBytes = 10;
const levels = ['debug', 'info', 'log', 'warn', 'error'];
const malformed = 'The call is malformed.';

const maxQuestionBytes = 16 * 1024;

type Method = (vm: BridgedVm, args: Arguments) => Answer;

const methodsByName: Record<HostMethod, Method> = {
  /** Returns the call's index, or the reason for a refusal. */
  call(vm, args) {
    const path = args.text(0, maxPathBytes);
    const input = args.copyUnless(1, (bytes) => refuseCall(vm, bytes));
    if (typeof input === 'string') return input;
    if (path === undefined || input === undefined) return malformed;
    const parts = countParts(input);
    const { callParts } = vm.limits;
    if (parts > callParts)
      return `The input has ${parts} objects, lists and keys; ${callParts} are allowed. Send less in one call.`;
    if (!isJson(input.toString())) return malformed;
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
    const level = args.text(0, maxLevelBytes) ?? '';
    if (levels.includes(level)) addToLog(vm, level, args);
    return undefined;
  },

  /** Returns the reason if the result is refused. */
  settle(vm, args) {
    const returned = args.text(0, maxLevelBytes) === 'returned';
    const text = args.beginning(1, returned ? vm.limits.resultBytes : maxErrorBytes);
    if (vm.settled || text === undefined) return undefined;
    if (!returned) {
      vm.settled = { type: 'threw', error: parseRawError(text.text) };
      return undefined;
    }
    if (text.bytes > vm.limits.resultBytes) {
      return `The result has ${text.bytes} bytes of JSON; ${vm.limits.resultBytes} are allowed. Return less, or store it with tools.executor.artifacts.put and return its handle.`;
    }
    if (!isJson(text.text)) return 'The result is malformed.';
    vm.settled = { type: 'returned', json: text.text };
    return undefined;
  },

  parseUrl: (_vm, args) => parseUrl(args.text(0, maxTextBytes), args.text(1, maxTextBytes)),
  changeUrl: (_vm, args) =>
    changeUrl(args.text(0, maxTextBytes), args.text(1, maxTextBytes), args.text(2, maxTextBytes)),
  parseQuery: (_vm, args) => parseQuery(args.text(0, maxTextBytes)),
  formatQuery: (_vm, args) => formatQuery(args.text(0, maxTextBytes)),
  formatNumber: (_vm, args) => formatNumber(args.text(0, maxQuestionBytes), args.text(1, maxQuestionBytes)),
  formatDate: (_vm, args) => formatDate(args.text(0, maxQuestionBytes), args.number(1)),
  compareTexts: (_vm, args) =>
    compareTexts(args.text(0, maxQuestionBytes), args.text(1, maxTextBytes), args.text(2, maxTextBytes)),
  pluralForm: (_vm, args) => pluralForm(args.text(0, maxQuestionBytes), args.number(1)),
  encodeText: (_vm, args) => encodeText(args.text(0, maxTextBytes)),
  decodeText: (_vm, args) =>
    decodeText(args.text(0, maxQuestionBytes), args.text(1, maxTextBytes), args.text(2, maxQuestionBytes)),
};
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

/** Logs as much of the line as fits. When the log is full, a last line says so. */
function addToLog(vm: BridgedVm, level: string, args: Arguments): void {
  const { logBytes } = vm.limits;
  const maxBytes = maxBytesOfLine(logBytes);
  const line = args.beginning(1, maxBytes);
  if (!line) return;
  const text = line.bytes > maxBytes ? `${line.text}… ${line.bytes - maxBytes} more bytes` : line.text;
  const cost = costOfLine(Buffer.byteLength(text));
  if (vm.omittedLines === 0 && vm.logBytes + cost <= logBytes) {
    vm.logBytes += cost;
    vm.events.log(vm.logs++, level, text);
    return;
  }
  if (vm.omittedLines === 0) {
    const notice = `The log may have ${logBytes} bytes; this line and all after it are left out.`;
    vm.events.log(vm.logs++, 'warn', notice);
  }
  vm.omittedLines += 1;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
