/** The globals of the sandbox. */
declare const console: Record<string, (...values: any[]) => void>;
declare function sleep(ms: number): Promise<void>;
declare function setTimeout(run: (...values: any[]) => void, ms?: number, ...values: any[]): any;
declare function setInterval(run: (...values: any[]) => void, ms?: number, ...values: any[]): any;
declare function setImmediate(run: (...values: any[]) => void, ...values: any[]): any;
declare function clearTimeout(timer?: any): void;
declare function clearInterval(timer?: any): void;
declare function clearImmediate(timer?: any): void;
declare function queueMicrotask(run: () => void): void;
declare function structuredClone<Value>(value: Value, options?: any): Value;
declare function atob(text: string): string;
declare function btoa(text: string): string;

declare const crypto: {
  randomUUID(): string;
  getRandomValues<List extends ArrayBufferView>(list: List): List;
};

declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL;
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
  toString(): string;
  toJSON(): string;
}

declare class URLSearchParams implements Iterable<[string, string]> {
  constructor(from?: any);
  readonly size: number;
  append(name: string, value: any): void;
  delete(name: string, value?: any): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: any): boolean;
  set(name: string, value: any): void;
  sort(): void;
  forEach(run: (value: string, name: string, all: URLSearchParams) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}

declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array;
  encodeInto(text: string, list: Uint8Array): { read: number; written: number };
}

declare class TextDecoder {
  constructor(label?: string, options?: any);
  readonly encoding: string;
  decode(bytes?: any, options?: any): string;
}

declare class Event {
  constructor(type: string, options?: any);
  readonly type: string;
  [key: string]: any;
}

declare class EventTarget {
  addEventListener(type: string, listener: any, options?: any): void;
  removeEventListener(type: string, listener: any, options?: any): void;
  dispatchEvent(event: Event): boolean;
}

declare class AbortSignal extends EventTarget {
  static abort(reason?: any): AbortSignal;
  static timeout(ms: number): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  readonly aborted: boolean;
  readonly reason: any;
  onabort: any;
  throwIfAborted(): void;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: any): void;
}

declare class DOMException extends Error {
  constructor(message?: string, name?: string);
  readonly code: number;
}

declare class ToolError extends Error {
  readonly details: any;
  readonly code?: any;
  readonly status?: number;
  [key: string]: any;
}

declare class ToolDeniedError extends ToolError {}
declare class LimitError extends Error {
  [key: string]: any;
}
