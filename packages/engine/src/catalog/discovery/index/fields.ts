/*
 * Where in a tool a word stands. What a tool is called says more of what it does than what is explained of its parameters.
 */

const fields = [
  'name',
  'group',
  'summary',
  'text',
  'parameter',
  'about parameters',
  'route',
  'result',
] as const;
export type FieldName = (typeof fields)[number];

interface FieldWeight {
  /** How much a word in it counts. */
  weight: number;
  /** How many words it usually has, and how much it counts against a word that there are more. */
  usual: number;
  bias: number;
}

/** In the order of `fields`. */
export const fieldWeights: readonly FieldWeight[] = [
  { weight: 3, usual: 4, bias: 0.4 },
  { weight: 1.4, usual: 2, bias: 0.2 },
  { weight: 2.6, usual: 8, bias: 0.5 },
  { weight: 1, usual: 40, bias: 0.6 },
  { weight: 1, usual: 8, bias: 0.5 },
  { weight: 0.5, usual: 60, bias: 0.6 },
  { weight: 1.1, usual: 4, bias: 0.4 },
  { weight: 0.3, usual: 20, bias: 0.6 },
];

export const field = {
  name: 0,
  group: 1,
  summary: 2,
  text: 3,
  parameter: 4,
  aboutParameters: 5,
  route: 6,
  result: 7,
} as const;

/** Those in which a word says what a tool is for; in the others it is mentioned in passing. */
export const namingFields =
  (1 << field.name) | (1 << field.group) | (1 << field.summary) | (1 << field.route) | (1 << field.parameter);

/** Those that a tool is called by. */
export const titleFields = (1 << field.name) | (1 << field.group) | (1 << field.summary);

export function fieldsIn(mask: number): FieldName[] {
  return fields.filter((_, bit) => mask & (1 << bit));
}
