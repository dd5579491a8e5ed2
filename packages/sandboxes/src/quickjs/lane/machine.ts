/**
 * One QuickJS engine in one WASM instance, used through the module's exports. Values are addresses in its memory. The receiver of a value
 * frees it, except arguments of a host call, which belong to the engine. The engine reaches the outside only through `host`, so that a
 * machine can be passed from one VM to the next.
 */
export type Value = number;

export interface MachineHost {
  /** Returns a new value. Must not throw: an exception would unwind through the engine. */
  call(method: number, args: HostArguments): Value;
  interrupt(): boolean;
  rejection(promise: Value, reason: Value, handled: boolean): void;
  /** Milliseconds. */
  now(): number;
}

/** The arguments of a host call, read from the engine's memory on demand. */
export interface HostArguments {
  readonly count: number;
  readonly at: number;
}

/** Objects that the host holds inside the engine, at the same addresses in every machine. */
export interface MachineRoots {
  runtime: number;
  context: number;
  /** One word for a length and some for arguments, so that passing them allocates nothing. */
  scratch: number;
  undefined: Value;
}

const maxArguments = 4;
const scratchBytes = 4 * (1 + maxArguments);
const evalFlags = { strict: 1 << 3, backtraceBarrier: 1 << 6 };
const maxStackBytes = 256 * 1024;
const noModules =
  'import() is not available in the sandbox: there are no modules. Use the globals and tools.*; tools.discover({ query }) finds them.';
const noHost: MachineHost = {
  call: () => 0,
  interrupt: () => false,
  rejection: () => {},
  now: () => 0,
};

export class Machine {
  host: MachineHost = noHost;
  readonly memory: WebAssembly.Memory;
  readonly #engine: Engine;
  #view: Buffer = Buffer.alloc(0);
  #held: MachineRoots = { runtime: 0, context: 0, scratch: 0, undefined: 0 };

  constructor(module: WebAssembly.Module, pages: { minimum: number; maximum: number }) {
    this.memory = new WebAssembly.Memory({ initial: pages.minimum, maximum: pages.maximum });
    const instance = new WebAssembly.Instance(module, this.#imports());
    this.#engine = instance.exports as unknown as Engine;
  }

  /** Called only for the first machine of a process. The others get its memory. */
  initialize(): void {
    this.#engine._initialize();
    if (this.#engine.qjs_init() !== 0) throw new Error('The engine did not start.');
    this.#engine.qjs_set_max_stack_size(maxStackBytes);
    this.#engine.qjs_set_interrupt_handler(1);
    this.#engine.qjs_set_promise_rejection_handler(1);
    this.#engine.qjs_set_module_loader(1);
    this.#held = {
      runtime: this.#engine.qjs_get_runtime_ptr(),
      context: this.#engine.qjs_get_context_ptr(),
      scratch: this.#allocate(scratchBytes),
      undefined: this.#engine.qjs_get_undefined(),
    };
  }

  /** Reserves a free block at the end of the heap, so that a small run need not grow the memory. */
  reserve(bytes: number): void {
    this.#engine.wasm_free(this.#engine.wasm_malloc(bytes));
  }

  /** Collects garbage now, and again only beyond this many bytes. A collection writes to every object, and so to most of the memory. */
  collect(nextAtBytes: number): void {
    this.#engine.qjs_run_gc();
    this.#engine.qjs_set_gc_threshold(nextAtBytes);
  }

  /** The current memory. Growing replaces the buffer and detaches views of the old one. */
  get bytes(): Buffer {
    if (this.#view.length === 0) this.#view = Buffer.from(this.memory.buffer);
    return this.#view;
  }

  get stackPointer(): number {
    return this.#engine.__stack_pointer.value;
  }

  set stackPointer(value: number) {
    this.#engine.__stack_pointer.value = value;
  }

  /** The engine keeps two addresses in WASM globals. A new instance needs the same values. */
  set roots(roots: MachineRoots) {
    this.#engine.qjs_set_runtime_and_context(roots.runtime, roots.context);
    this.#held = roots;
  }

  get roots(): MachineRoots {
    return this.#held;
  }

  evaluate(code: string, file: string): Value {
    const text = this.#write(code);
    const name = this.#write(file);
    const value = this.#engine.qjs_eval(
      text.at,
      text.bytes,
      name.at,
      evalFlags.strict | evalFlags.backtraceBarrier,
    );
    this.#engine.wasm_free(text.at);
    this.#engine.wasm_free(name.at);
    return value;
  }

  /** Calls a function and frees the arguments, at most `maxArguments`. */
  invoke(fn: Value, ...args: Value[]): Value {
    const list = this.#held.scratch + 4;
    for (let position = 0; position < args.length; position++)
      this.bytes.writeUInt32LE(args[position] ?? 0, list + 4 * position);
    const value = this.#engine.qjs_call(fn, this.#held.undefined, args.length, list);
    for (let position = 0; position < args.length; position++) this.free(args[position] ?? 0);
    return value;
  }

  /** Runs one queued job. If the job threw and nothing inside caught it, the exception can be taken. */
  step(): 'ran' | 'threw' | 'none' {
    const result = this.#engine.qjs_execute_pending_job();
    if (result === 0) return 'none';
    return result > 0 ? 'ran' : 'threw';
  }

  argument({ count, at }: HostArguments, position: number): Value | undefined {
    return position < count ? this.bytes.readUInt32LE(at + 4 * position) : undefined;
  }

  isException(value: Value): boolean {
    return this.#engine.qjs_is_exception(value) !== 0;
  }

  takeException(): Value {
    return this.#engine.qjs_get_exception();
  }

  isString(value: Value): boolean {
    return this.#engine.qjs_is_string(value) !== 0;
  }

  isNumber(value: Value): boolean {
    return this.#engine.qjs_is_number(value) !== 0;
  }

  /** Only for strings. For other values the engine would run the code's own `toString`. */
  readString(value: Value): string {
    return this.readBytes(value, (at, length) => this.bytes.toString('utf8', at, at + length));
  }

  readNumber(value: Value): number {
    return this.#engine.qjs_get_float64(value);
  }

  /** Passes the location of a string's bytes, which is valid while `use` runs. */
  readBytes<T>(value: Value, use: (at: number, length: number) => T): T {
    const { scratch } = this.#held;
    const at = this.#engine.qjs_get_string_len(value, scratch);
    if (at === 0) throw new MachineFull();
    const result = use(at, this.bytes.readUInt32LE(scratch));
    this.#engine.qjs_free_cstring(at);
    return result;
  }

  newString(text: string): Value {
    const { at, bytes } = this.#write(text);
    const value = this.#engine.qjs_new_string(at, bytes);
    this.#engine.wasm_free(at);
    return value;
  }

  newBytes(data: Uint8Array): Value {
    const at = this.#allocate(data.length + 1);
    this.bytes.set(data, at);
    const value = this.#engine.qjs_new_uint8_array(at, data.length);
    this.#engine.wasm_free(at);
    return value;
  }

  newNumber(value: number): Value {
    return this.#engine.qjs_new_number(value);
  }

  undefined(): Value {
    return this.#engine.qjs_get_undefined();
  }

  /** The address of the object that a value refers to. */
  identity(value: Value): number {
    return this.#engine.qjs_get_value_ptr(value);
  }

  duplicate(value: Value): Value {
    return this.#engine.qjs_dup_value(value);
  }

  free(value: Value): void {
    this.#engine.qjs_free_value(value);
  }

  getProperty(object: Value, name: string): Value {
    const key = this.#write(name);
    const value = this.#engine.qjs_get_prop_string(object, key.at);
    this.#engine.wasm_free(key.at);
    return value;
  }

  /** Defines and returns a global object whose methods the host answers. The host identifies a method by its index. */
  defineHostObject(global: string, methods: readonly string[]): Value {
    const object = this.#engine.qjs_new_object();
    for (const [position, method] of methods.entries()) {
      const name = this.#write(method);
      const number = this.#write(String.fromCharCode(position));
      const fn = this.#engine.qjs_new_host_function(number.at, number.bytes, 0);
      this.#engine.qjs_set_prop_string(object, name.at, fn);
      this.#engine.wasm_free(name.at);
      this.#engine.wasm_free(number.at);
      this.free(fn);
    }
    const root = this.#engine.qjs_get_global();
    const key = this.#write(global);
    this.#engine.qjs_set_prop_string(root, key.at, object);
    this.#engine.wasm_free(key.at);
    this.free(root);
    return object;
  }

  #write(text: string): { at: number; bytes: number } {
    const bytes = Buffer.byteLength(text);
    const at = this.#allocate(bytes + 1);
    this.bytes.write(text, at);
    this.bytes[at + bytes] = 0;
    return { at, bytes };
  }

  #allocate(bytes: number): number {
    const at = this.#engine.wasm_malloc(bytes);
    if (at === 0) throw new MachineFull();
    return at;
  }

  #imports(): WebAssembly.Imports {
    const done = 0;
    const unsupported = 52;
    return {
      env: {
        memory: this.memory,
        host_call: (name: number, length: number, _self: number, count: number, at: number) =>
          this.host.call(length === 1 ? (this.bytes[name] ?? -1) : -1, { count, at }),
        host_interrupt: () => Number(this.host.interrupt()),
        host_promise_rejection: (promise: number, reason: number, handled: number) =>
          this.host.rejection(promise, reason, handled !== 0),
        host_module_normalize: (_base: number, name: number) => this.#copyName(name),
        host_module_load: () => this.#refuseModule(),
        host_get_timezone_offset: () => 0,
      },
      wasi_snapshot_preview1: {
        clock_time_get: (_clock: number, _precision: bigint, at: number) => {
          const nanoseconds = BigInt(Math.trunc(this.host.now())) * 1_000_000n;
          this.bytes.writeBigUInt64LE(nanoseconds, at);
          return done;
        },
        /** The prelude has its own seeded generator. Nothing else may be random. */
        random_get: (at: number, length: number) => {
          this.bytes.fill(0, at, at + length);
          return done;
        },
        fd_write: () => unsupported,
        fd_close: () => unsupported,
        fd_seek: () => unsupported,
        fd_fdstat_get: () => unsupported,
      },
    };
  }

  #refuseModule(): number {
    const error = this.#engine.qjs_new_error();
    const message = this.newString(noModules);
    const key = this.#write('message');
    this.#engine.qjs_set_prop_string(error, key.at, message);
    this.#engine.wasm_free(key.at);
    this.#engine.qjs_throw(error);
    for (const value of [error, message]) this.free(value);
    return 0;
  }

  #copyName(name: number): number {
    const memory = this.bytes;
    const length = memory.indexOf(0, name) - name + 1;
    const at = this.#allocate(length);
    this.bytes.copyWithin(at, name, name + length);
    return at;
  }
}

/** The machine has no memory for a value of the host. */
export class MachineFull extends Error {}

interface Engine {
  readonly __stack_pointer: WebAssembly.Global<'i32'>;
  _initialize(): void;
  wasm_malloc(bytes: number): number;
  wasm_free(at: number): void;
  qjs_init(): number;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_set_interrupt_handler(on: number): void;
  qjs_set_promise_rejection_handler(on: number): void;
  qjs_set_module_loader(on: number): void;
  qjs_run_gc(): void;
  qjs_set_gc_threshold(bytes: number): void;
  qjs_get_runtime_ptr(): number;
  qjs_get_context_ptr(): number;
  qjs_set_runtime_and_context(runtime: number, context: number): void;
  qjs_eval(code: number, bytes: number, file: number, flags: number): Value;
  qjs_call(fn: Value, self: Value, count: number, args: number): Value;
  qjs_execute_pending_job(): number;
  qjs_is_exception(value: Value): number;
  qjs_get_exception(): Value;
  qjs_new_error(): Value;
  qjs_throw(error: Value): number;
  qjs_is_string(value: Value): number;
  qjs_is_number(value: Value): number;
  qjs_get_string_len(value: Value, lengthAt: number): number;
  qjs_free_cstring(at: number): void;
  qjs_get_float64(value: Value): number;
  qjs_new_string(at: number, bytes: number): Value;
  qjs_new_number(value: number): Value;
  qjs_new_uint8_array(at: number, bytes: number): Value;
  qjs_new_object(): Value;
  qjs_new_host_function(name: number, bytes: number, args: number): Value;
  qjs_get_undefined(): Value;
  qjs_get_global(): Value;
  qjs_get_value_ptr(value: Value): number;
  qjs_dup_value(value: Value): Value;
  qjs_free_value(value: Value): void;
  qjs_get_prop_string(object: Value, name: number): Value;
  qjs_set_prop_string(object: Value, name: number, value: Value): void;
}
