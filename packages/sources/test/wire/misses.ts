import type { WireMiss, WireReport } from './wire.ts';

/** What is known of the kinds of misses, by what their messages say. */
const explanations: [message: RegExp, why: string][] = [
  [/there is no tool/, 'The reader made no tool of it.'],
  [/Empty value/, 'The judge takes no empty value.'],
  [/must match format/, 'A default of the document does not have the format that it asks for.'],
  [
    /must be string|must be integer \(HTTP/,
    'A default of the document is none of the values that it allows.',
  ],
  [
    /exactly one schema in oneOf/,
    'Alternatives of the document overlap: what is one of them is another one too.',
  ],
  [
    /query\/.* must have required property/,
    'The judge takes an object of the query for sent where none was, and misses what is in it.',
  ],
  [/must have required property/, 'Defaults were filled in to a body that may be left out.'],
  [
    /no valid input/,
    'The document allows no value: its parts contradict each other, or it is required in itself.',
  ],
  [/allowed values: \d/, 'The document contradicts itself: the type of its values is not that of its enum.'],
  [/(query|headers|cookies)\/.* must be object/, 'The judges do not read objects there.'],
  [/body\/.* must be object/, 'The judge does not read files there.'],
];

/** How many there are of each kind of miss, the most first, with an example and why it is. */
export function describeMisses(reports: WireReport[]): string {
  const kinds = new Map<string, { count: number; example: string }>();
  for (const { document, misses } of reports) {
    for (const miss of misses) {
      const why = explanationOf(miss) ?? 'Not explained.';
      const known = kinds.get(why) ?? { count: 0, example: shown(document, miss) };
      kinds.set(why, { ...known, count: known.count + (miss.size === 'both' ? 2 : 1) });
    }
  }
  return [...kinds]
    .toSorted(([, a], [, b]) => b.count - a.count)
    .map(([why, { count, example }]) => `${String(count).padStart(6)}  ${why}\n        ${example}`)
    .join('\n');
}

/** The misses of which nobody has said why they are. */
export function unexplainedMisses(reports: WireReport[]): string[] {
  return reports.flatMap(({ document, misses }) =>
    misses.filter((miss) => explanationOf(miss) === undefined).map((miss) => shown(document, miss)),
  );
}

function explanationOf({ message }: WireMiss): string | undefined {
  return explanations.find(([pattern]) => pattern.test(message))?.[1];
}

function shown(document: string, { operation, size, message }: WireMiss): string {
  return `${document} ${operation} (${size}): ${message.slice(0, 160)}`;
}
