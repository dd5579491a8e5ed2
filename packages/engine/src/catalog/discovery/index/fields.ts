/*
 * The fields of a tool that words are found in. A word in a tool's name says more about what it does than a word in the
 * description of a parameter.
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
  weight: number;
  /** The usual number of words in the field. */
  usual: number;
  /** How much a longer field reduces the weight of each of its words, from 0 to 1. */
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

/** The fields whose words say what a tool is for. Words in other fields are mentioned in passing. */
export const namingFields =
  (1 << field.name) | (1 << field.group) | (1 << field.summary) | (1 << field.route) | (1 << field.parameter);

/** The fields that name a tool. */
export const titleFields = (1 << field.name) | (1 << field.group) | (1 << field.summary);

export function fieldsIn(mask: number): FieldName[] {
  return fields.filter((_, bit) => mask & (1 << bit));
}
