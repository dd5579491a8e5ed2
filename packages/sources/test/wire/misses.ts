import type { WireMiss, WireReport } from './wire.ts';

/** The causes of misses, by message. */
const causes: [message: RegExp, why: string][] = [
  [/there is no tool/, 'The reader made no tool of the operation.'],
  [/Empty value/, 'The judge rejects empty values.'],
  [/must match format/, 'A default of the document does not match its own format.'],
  [/must be string|must be integer \(HTTP/, 'A default of the document is not one of its allowed values.'],
  [/exactly one schema in oneOf/, 'Alternatives of the document overlap: a value matches two of them.'],
  [
    /query\/.* must have required property/,
    'The judge expects an object in the query that was not sent, and reports its fields as missing.',
  ],
  [/must have required property/, 'Defaults were filled into an optional body.'],
  [
    /no valid input/,
    'The document allows no value: its parts contradict each other, or a schema requires itself.',
  ],
  [/allowed values: \d/, 'The document contradicts itself: the values of an enum are not of its type.'],
  [/(query|headers|cookies)\/.* must be object/, 'The judges do not read objects there.'],
  [/body\/.* must be object/, 'The judge does not read files there.'],
];

/** Counts the misses by cause, most frequent first, with an example each. */
export function describeMisses(reports: WireReport[]): string {
  const kinds = new Map<string, { count: number; example: string }>();
  for (const { document, misses } of reports) {
    for (const miss of misses) {
      const why = causeOf(miss) ?? 'Not explained.';
      const counted = kinds.get(why) ?? { count: 0, example: shown(document, miss) };
      kinds.set(why, { ...counted, count: counted.count + (miss.size === 'both' ? 2 : 1) });
    }
  }
  return [...kinds]
    .toSorted(([, a], [, b]) => b.count - a.count)
    .map(([why, { count, example }]) => `${String(count).padStart(6)}  ${why}\n        ${example}`)
    .join('\n');
}

/** Misses without a known cause. */
export function unexplainedMisses(reports: WireReport[]): string[] {
  return reports.flatMap(({ document, misses }) =>
    misses.filter((miss) => causeOf(miss) === undefined).map((miss) => shown(document, miss)),
  );
}

function causeOf({ message }: WireMiss): string | undefined {
  return causes.find(([pattern]) => pattern.test(message))?.[1];
}

function shown(document: string, { operation, size, message }: WireMiss): string {
  return `${document} ${operation} (${size}): ${message.slice(0, 160)}`;
}
