import type { FromLane, ToLane, VmLimits, VmRegisters, VmState } from '../messages/messages.ts';
import { CpuClock } from './cpu-clock.ts';
import type { VmEvents } from './host-methods.ts';
import { type Image, pageBytes } from './image.ts';
import { MachinePool } from './machine-pool.ts';
import { applyPages, differingPages } from './pages.ts';
import { Vm } from './vm.ts';

type Message<Type extends ToLane['type']> = Extract<ToLane, { type: Type }>;

const spareMachines = 16;
/** Only the garbage collector frees a dropped WASM memory, and it does not know how large the memory is. */
const collectAfterBytes = 32 * 1024 * 1024;

/** The VMs of one process. Each message runs one slice of one VM. */
export class LaneProgram {
  readonly #vms = new Map<number, Vm>();
  readonly #machines: MachinePool;
  readonly #cpuClock = new CpuClock();
  #droppedBytes = 0;
  readonly #image: Image;
  readonly #send: (message: FromLane, body?: Uint8Array) => void;

  constructor(image: Image, send: (message: FromLane, body?: Uint8Array) => void) {
    this.#image = image;
    this.#send = send;
    this.#machines = new MachinePool(image, spareMachines);
  }

  perform(message: ToLane, body: Buffer): void {
    if (message.type === 'start') this.#start(message, body);
    else if (message.type === 'deliver') this.#deliver(message, body);
    else if (message.type === 'evict') this.#evict(message.run);
    else if (message.type === 'restore') this.#restore(message, body);
    else this.#drop(message.run);
    this.#collect();
  }

  #start(message: Message<'start'>, body: Buffer): void {
    const { run, seed, epoch, head = 0, drains = false, limits, slice } = message;
    const vm = this.#newVm(run, limits);
    vm.allow(slice.cpuUs);
    this.#endSlice(run, vm, vm.start({ code: body.toString(), head, drains }, seed, epoch));
  }

  #deliver({ run, items, slice }: Message<'deliver'>, body: Buffer): void {
    const vm = this.#vms.get(run);
    if (!vm) throw new Error(`There is no run ${run} here.`);
    vm.allow(slice.cpuUs);
    let state: VmState = { type: 'waiting' };
    const text = body.toString();
    let at = 0;
    for (const item of items) {
      state = vm.deliver(item, text.slice(at, at + item.length));
      at += item.length;
      if (!isOpen(state)) break;
    }
    this.#endSlice(run, vm, state);
  }

  #endSlice(run: number, vm: Vm, state: VmState): void {
    const memoryBytes = vm.machine.memory.buffer.byteLength;
    const json = vm.settled?.type === 'returned' && state.type === 'returned' ? vm.settled.json : undefined;
    if (!isOpen(state)) {
      vm.endLog();
      this.#drop(run);
    }
    this.#send(
      { type: 'slice', run, cpuUs: vm.cpuUs(), memoryBytes, state },
      json === undefined ? undefined : Buffer.from(json),
    );
  }

  #evict(run: number): void {
    const vm = this.#vms.get(run);
    if (!vm) throw new Error(`There is no run ${run} here.`);
    const { build, memory } = this.#image;
    const pages = vm.isKeepable ? differingPages(vm, memory) : undefined;
    if (pages) this.#send({ type: 'pages', run, vm: vm.registers, build }, pages);
    else this.#send({ type: 'unkept', run });
    this.#drop(run);
  }

  /** Pages of another build would be garbage in this memory. They are refused, and the server replays the run. */
  #restore({ run, vm: registers, limits, build }: Message<'restore'>, pages: Buffer): void {
    const ok = build === this.#image.build && this.#tryRestore(run, limits, { registers, pages });
    this.#send({ type: 'restored', run, ok });
  }

  #tryRestore(run: number, limits: VmLimits, saved: { registers: VmRegisters; pages: Buffer }): boolean {
    const vm = this.#newVm(run, limits);
    try {
      const missing = (saved.registers.memoryBytes - vm.machine.memory.buffer.byteLength) / pageBytes;
      if (missing > 0) vm.machine.memory.grow(missing);
      applyPages(vm.machine.bytes, saved.pages);
      vm.registers = saved.registers;
      return true;
    } catch {
      vm.broken = true;
      this.#drop(run);
      return false;
    }
  }

  #newVm(run: number, limits: VmLimits): Vm {
    const events: VmEvents = {
      call: (index, path, input) => this.#send({ type: 'call', run, index, path }, input),
      abandon: (index) => this.#send({ type: 'abandon', run, index }),
      log: (index, level, text) =>
        this.#send({ type: 'log', run, index, level: level as never, at: vm.now() }, Buffer.from(text)),
    };
    const vm = new Vm(this.#machines.take(limits.memoryPages), this.#image, limits, events, this.#cpuClock);
    this.#vms.set(run, vm);
    return vm;
  }

  #drop(run: number): void {
    const vm = this.#vms.get(run);
    if (!vm) return;
    this.#vms.delete(run);
    if (!vm.broken && this.#machines.giveBack(vm.machine, vm.limits.memoryPages)) return;
    this.#droppedBytes += vm.machine.memory.buffer.byteLength;
  }

  /** Between two messages, because a collection during a message would find the dropped machine on the stack. */
  #collect(): void {
    if (this.#droppedBytes < collectAfterBytes) return;
    this.#droppedBytes = 0;
    globalThis.gc?.();
  }
}

/** Whether the VM has more to do when the next answer arrives. */
function isOpen({ type }: VmState): boolean {
  return type === 'waiting' || type === 'draining';
}
