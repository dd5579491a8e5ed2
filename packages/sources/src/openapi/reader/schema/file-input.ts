const named = { name: { type: 'string' }, mediaType: { type: 'string' } };
const from = (field: string, description: string) => ({
  type: 'object',
  properties: { [field]: { type: 'string', description }, ...named },
  required: [field],
  additionalProperties: false,
});

/** The schema of a file in an input: `FileInput` of operation.ts. */
export const fileInput: Record<string, unknown> = {
  description: 'A file: its text, or an object with text, base64 or artifact.',
  anyOf: [
    { type: 'string', description: 'The content as text' },
    from('text', 'The content as text'),
    from('base64', 'The bytes in base64'),
    from('artifact', 'The id of an artifact of this run'),
  ],
};

/** The output of a call that returns bytes. */
export const artifactOutput: Record<string, unknown> = {
  type: 'object',
  description: 'The bytes are stored with the run as an artifact.',
  properties: {
    type: { const: 'artifact' },
    id: { type: 'string' },
    mediaType: { type: 'string' },
    bytes: { type: 'integer' },
    name: { type: 'string' },
  },
  required: ['type', 'id', 'mediaType', 'bytes'],
};
