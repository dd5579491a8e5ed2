const named = { name: { type: 'string' }, mediaType: { type: 'string' } };
const from = (field: string, description: string) => ({
  type: 'object',
  properties: { [field]: { type: 'string', description }, ...named },
  required: [field],
  additionalProperties: false,
});

/** What a file is in an input: `FileInput` of operation.ts. */
export const fileInput: Record<string, unknown> = {
  description: 'A file: its text, or where its bytes are.',
  anyOf: [
    { type: 'string', description: 'The text that is in it' },
    from('text', 'The text that is in it'),
    from('base64', 'Its bytes, in base64'),
    from('artifact', 'The id of an artifact of this run'),
  ],
};

/** What a call answers with instead of bytes. */
export const artifactOutput: Record<string, unknown> = {
  type: 'object',
  description: 'The bytes are kept with the run as an artifact.',
  properties: {
    type: { const: 'artifact' },
    id: { type: 'string' },
    mediaType: { type: 'string' },
    bytes: { type: 'integer' },
    name: { type: 'string' },
  },
  required: ['type', 'id', 'mediaType', 'bytes'],
};
