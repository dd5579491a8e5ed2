import type { Artifacts } from '../../artifact/artifacts.ts';
import type { Tool } from '../../ports/source.ts';
import type { Store } from '../../ports/store.ts';
import { type OwnTools, own } from './own-tools.ts';

interface Dependencies {
  store: Pick<Store, 'executions'>;
  artifacts: Pick<Artifacts, 'put' | 'readFor'>;
}

const maxReadBytes = 512 * 1024;

/** `tools.executor.artifacts.*`. An artifact is a part of the run: keeping one changes nothing anywhere else, so it counts as a read. */
export function artifactTools({ store, artifacts }: Dependencies): OwnTools {
  return {
    tools,
    operations: {
      'executor.artifacts.put': async ({ input, putArtifact }) => {
        const { text, base64, mediaType, name } = input as {
          text?: string;
          base64?: string;
          mediaType?: string;
          name?: string;
        };
        if ((text === undefined) === (base64 === undefined)) {
          return { type: 'error', message: 'Give either text or base64.', details: { code: 'invalidInput' } };
        }
        const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
        const type =
          mediaType ?? (text === undefined ? 'application/octet-stream' : 'text/plain; charset=utf-8');
        const handle = await putArtifact({ bytes, mediaType: type, ...(name !== undefined && { name }) });
        return {
          type: 'value',
          value: { id: handle.artifactId, mediaType: handle.mediaType, bytes: handle.bytes },
        };
      },

      'executor.artifacts.read': async ({ input, call }) => {
        const { id, offset, length, as } = input as {
          id: string;
          offset: number;
          length: number;
          as: 'text' | 'base64';
        };
        const execution = await store.executions.find(call.workspaceId, call.executionId);
        const found = execution && (await artifacts.readFor(execution, id, { offset, length }));
        if (found === undefined) {
          return {
            type: 'error',
            message: `There is no artifact "${id}" of yours.`,
            details: { code: 'notFound' },
          };
        }
        const { artifact, bytes } = found;
        const content = Buffer.from(bytes).toString(as === 'base64' ? 'base64' : 'utf8');
        const end = offset + bytes.length;
        return {
          type: 'value',
          value: {
            id,
            mediaType: artifact.mediaType,
            bytes: artifact.bytes,
            [as]: content,
            ...(end < artifact.bytes && { nextOffset: end }),
          },
        };
      },
    },
  };
}

const tools: Tool[] = [
  {
    ...own,
    path: 'executor.artifacts.put',
    description: 'Keeps bytes or text that are too large for a result, and answers a handle.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        text: { type: 'string' },
        base64: { type: 'string' },
        mediaType: { type: 'string', maxLength: 200 },
        name: { type: 'string', maxLength: 200, description: 'What to call the file' },
      },
    },
  },
  {
    ...own,
    path: 'executor.artifacts.read',
    description: 'Reads a part of an artifact of your runs.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: {
        id: { type: 'string' },
        offset: { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1, default: 0 },
        length: { type: 'integer', minimum: 1, maximum: maxReadBytes, default: 64 * 1024 },
        as: { enum: ['text', 'base64'], default: 'text' },
      },
    },
  },
];
