import { defineGlobals, host, NativeDate } from '../host.ts';
import { inspect } from '../inspect.ts';
import { tableLines } from './console-table.ts';

const counts: Record<string, number> = Object.create(null);
const timers: Record<string, number> = Object.create(null);
let indent = '';

const write =
  (level: string) =>
  (...values: unknown[]): void =>
    host.log(level, indent + format(values));

defineGlobals({
  console: {
    log: write('log'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    debug: write('debug'),
    trace: write('debug'),
    dir: (value: unknown) => write('log')(value),
    dirxml: write('log'),
    table(data: unknown, columns?: unknown) {
      const lines = tableLines(data, columns);
      if (lines) host.log('log', lines.map((line) => indent + line).join('\n'));
      else write('log')(data);
    },
    clear() {},
    assert(condition: unknown, ...values: unknown[]) {
      if (!condition) write('error')('Assertion failed:', ...values);
    },
    count(label = 'default') {
      counts[label] = (counts[label] ?? 0) + 1;
      write('log')(`${label}: ${counts[label]}`);
    },
    countReset(label = 'default') {
      delete counts[label];
    },
    group,
    groupCollapsed: group,
    groupEnd() {
      indent = indent.slice(2);
    },
    time(label = 'default') {
      timers[label] = NativeDate.now();
    },
    timeEnd(label = 'default') {
      write('log')(`${label}: ${NativeDate.now() - (timers[label] ?? NativeDate.now())} ms`);
      delete timers[label];
    },
    timeLog(label = 'default') {
      write('log')(`${label}: ${NativeDate.now() - (timers[label] ?? NativeDate.now())} ms`);
    },
  },
});

function group(...values: unknown[]): void {
  if (values.length > 0) write('log')(...values);
  indent += '  ';
}

/** Fills `%s`, `%d`, `%i`, `%f`, `%j`, `%o` and `%O` in the first string, removes `%c`, and appends the other values. */
function format(values: unknown[]): string {
  const [first, ...others] = values;
  if (values.length === 0) return '';
  if (typeof first !== 'string' || others.length === 0) return [first, ...others].map(inspect).join(' ');
  const filled = first.replace(/%([sdifjoOc%])/g, (whole, kind: string) => {
    if (kind === '%') return '%';
    if (others.length === 0) return whole;
    const value = others.shift();
    if (kind === 'c') return '';
    if (kind === 'd' || kind === 'f') return String(Number(value));
    return kind === 'i' ? String(Math.trunc(Number(value))) : inspect(value);
  });
  return [filled, ...others.map(inspect)].join(' ');
}
