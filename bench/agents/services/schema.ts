/** Short forms of the JSON schemas of fake services. */
type Schema = Record<string, unknown>;

export const text = (description?: string, more: Schema = {}): Schema => ({
  type: 'string',
  ...(description !== undefined && { description }),
  ...more,
});
export const integer = (description?: string, more: Schema = {}): Schema => ({
  type: 'integer',
  ...(description !== undefined && { description }),
  ...more,
});
export const boolean = (description?: string): Schema => ({
  type: 'boolean',
  ...(description !== undefined && { description }),
});
export const choice = (values: string[], description?: string): Schema => ({
  type: 'string',
  enum: values,
  ...(description !== undefined && { description }),
});
export const listOf = (items: Schema): Schema => ({ type: 'array', items });
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** An object. Names that end with `!` are required. */
export function object(fields: Record<string, Schema>, more: Schema = {}): Schema {
  const required = Object.keys(fields).filter((name) => name.endsWith('!'));
  return {
    type: 'object',
    ...(required.length > 0 && { required: required.map((name) => name.slice(0, -1)) }),
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, schema]) => [name.replace(/!$/, ''), schema]),
    ),
    ...more,
  };
}

export function query(name: string, schema: Schema, description?: string): Schema {
  const isRequired = name.endsWith('!');
  return {
    name: name.replace(/!$/, ''),
    in: 'query',
    ...(isRequired && { required: true }),
    ...(description !== undefined && { description }),
    schema,
  };
}
