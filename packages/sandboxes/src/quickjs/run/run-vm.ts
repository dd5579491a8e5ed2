import type { Completion } from '@executor/engine';
import type { DeliveredItem, VmRegisters } from '../messages/messages.ts';

/** Where the VM of a run is. */
export type RunVm =
  | { type: 'none' }
  /** The VM received `delivered` completions and made `made` calls. The first `replayed` completions only rebuild its state. */
  | {
      type: 'live';
      started: boolean;
      rebuilt: boolean;
      delivered: number;
      replayed: number;
      made: number;
      saved?: KeptVm;
    }
  | KeptVm;

export interface KeptVm {
  type: 'kept';
  pages: Buffer;
  registers: VmRegisters;
  build: string;
}

export type LiveVm = RunVm & { type: 'live' };

/** Whether the current or last slice only repeated earlier work. */
export function isReplay({ started, rebuilt, delivered, replayed }: LiveVm): boolean {
  return started ? replayed > 0 && delivered <= replayed : rebuilt;
}

export function delivered({ index, at, result }: Completion): DeliveredItem {
  const { length } = resultText({ result });
  if (result.type === 'value') return { index, at, length };
  return { index, at, length, error: { name: result.name, message: result.message } };
}

export function resultText({ result }: Pick<Completion, 'result'>): string {
  return result.type === 'value' ? result.json : (result.details ?? '');
}
