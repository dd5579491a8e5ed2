/** The fields of a tool that words are found in. A word in the name says more about a tool than one about a parameter. */
export type FieldName =
  | 'name'
  | 'group'
  | 'summary'
  | 'text'
  | 'parameter'
  | 'about parameters'
  | 'route'
  | 'result';

interface FieldWeight {
  weight: number;
  /** The usual number of words in the field. */
  usual: number;
  /** How much a longer field reduces the weight of each of its words, from 0 to 1. */
  bias: number;
}

export const fieldWeights: Record<FieldName, FieldWeight> = {
  name: { weight: 3, usual: 4, bias: 0.4 },
  group: { weight: 1.4, usual: 2, bias: 0.2 },
  summary: { weight: 2.6, usual: 8, bias: 0.5 },
  text: { weight: 1, usual: 40, bias: 0.6 },
  parameter: { weight: 1, usual: 8, bias: 0.5 },
  'about parameters': { weight: 0.5, usual: 60, bias: 0.6 },
  route: { weight: 1.1, usual: 4, bias: 0.4 },
  result: { weight: 0.3, usual: 20, bias: 0.6 },
};

const fields = Object.keys(fieldWeights) as FieldName[];

export function fieldBit(field: FieldName): number {
  return 1 << fields.indexOf(field);
}

export function fieldsIn(mask: number): FieldName[] {
  return fields.filter((_, bit) => mask & (1 << bit));
}

/** The fields that name a tool. */
const titleFields = fieldBit('name') | fieldBit('group') | fieldBit('summary');

/** The fields whose words say what a tool is for. Words in other fields are mentioned in passing. */
export const namingFields = titleFields | fieldBit('route') | fieldBit('parameter');
