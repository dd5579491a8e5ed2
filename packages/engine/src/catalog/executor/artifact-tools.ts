import type { Artifacts } from '../../artifact/artifacts.ts';
import { maxAnswerBytes } from '../../execution/call/answer.ts';
import type { ExecutionRow } from '../../ports/execution-store.ts';
import type { JsonReader } from '../../ports/json-reader.ts';
import type { CallProblem, Invocation, InvocationOutcome, Tool } from '../../ports/source.ts';
import type { Store } from '../../ports/store.ts';
import { type BuiltInTools, toolDefaults } from './built-in-tools.ts';

interface Dependencies {
  store: Pick<Store, 'executions'>;
  artifacts: Pick<Artifacts, 'put' | 'readFor' | 'bytesFor'>;
  jsonReader: JsonReader;
}

const maxReadBytes = 512 * 1024;

/**
 * `tools.executor.artifacts.*`. An artifact belongs to its run and storing one changes nothing elsewhere, so `put`
 * counts as a read.
 */
export function artifactTools({ store, artifacts, jsonReader }: Dependencies): BuiltInTools {
  return {
    tools,
    operations: {
      'executor.artifacts.put': async ({ input, putArtifact, allowAnswer }) => {
        const { text, base64, mediaType, name } = input as {
          text?: string;
          base64?: string;
          mediaType?: string;
          name?: string;
        };
        if ((text === undefined) === (base64 === undefined)) {
          return problem('invalidInput', 'Pass either text or base64.');
        }
        await allowAnswer((text ?? base64 ?? '').length);
        const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
        const type =
          mediaType ?? (text === undefined ? 'application/octet-stream' : 'text/plain; charset=utf-8');
        const handle = await putArtifact({ bytes, mediaType: type, ...(name !== undefined && { name }) });
        return {
          type: 'value',
          value: { id: handle.artifactId, mediaType: handle.mediaType, bytes: handle.bytes },
        };
      },

      'executor.artifacts.read': async ({ input, call, allowAnswer }) => {
        const { id, offset, length, as } = input as ReadInput;
        const execution = await store.executions.find(call.workspaceId, call.executionId);
        if (execution === undefined) return notFound(id);
        if (as === 'json') return readJson(execution, id, allowAnswer);
        await allowAnswer(length);
        const found = await artifacts.readFor(execution, id, { offset, length });
        if (found === undefined) return notFound(id);
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
          isWhole: true,
        };
      },
    },
  };

  /** Reads all of an artifact in one call, within the memory that the sandbox has for it. */
  async function readJson(
    execution: ExecutionRow,
    id: string,
    allowAnswer: Invocation['allowAnswer'],
  ): Promise<InvocationOutcome> {
    const maxBytes = maxAnswerBytes(execution.limits);
    const bytes = await artifacts.bytesFor(execution, id);
    if (bytes === undefined) return notFound(id);
    if (bytes > maxBytes) {
      return problem(
        'tooLarge',
        `The artifact has ${bytes} bytes. Code with ${execution.limits.memoryMb} MB of memory can read at most ${maxBytes} bytes as JSON. Read parts of it with as: "text", offset and length.`,
        { bytes, maxBytes },
      );
    }
    await allowAnswer(bytes);
    const found = await artifacts.readFor(execution, id, { offset: 0, length: maxBytes });
    if (found === undefined) return notFound(id);
    const { mediaType } = found.artifact;
    try {
      const json = await jsonReader.read(found.bytes, { quoteLarge: false });
      const head = JSON.stringify({ id, mediaType, bytes });
      return { type: 'json', json: `${head.slice(0, -1)},"json":${json}}`, isWhole: true };
    } catch (error) {
      if (error instanceof RangeError) return problem('resultTooLarge', tooDeep);
      if (!(error instanceof SyntaxError)) throw error;
      const { message } = error;
      return problem(
        'invalidInput',
        `The artifact (${mediaType}) is not JSON: ${message}. Read it with as: "text".`,
      );
    }
  }
}

const tooDeep = 'The artifact is JSON that is nested too deeply. Read it with as: "text".';

interface ReadInput {
  id: string;
  offset: number;
  length: number;
  as: 'text' | 'base64' | 'json';
}

function notFound(id: string): CallProblem {
  return problem('notFound', `You have no artifact "${id}".`);
}

function problem(code: string, message: string, details: Record<string, unknown> = {}): CallProblem {
  return { type: 'error', message, details: { code, ...details } };
}

const tools: Tool[] = [
  {
    ...toolDefaults,
    path: 'executor.artifacts.put',
    description: 'Stores text or bytes that are too large for a result. Returns { id, mediaType, bytes }.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        text: { type: 'string' },
        base64: { type: 'string' },
        mediaType: { type: 'string', maxLength: 200 },
        name: { type: 'string', maxLength: 200, description: 'File name' },
      },
    },
  },
  {
    ...toolDefaults,
    path: 'executor.artifacts.read',
    description:
      'Reads an artifact of your runs: a part of it as text or base64, or all of it parsed with as: "json".',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: {
        id: { type: 'string' },
        offset: { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1, default: 0 },
        length: { type: 'integer', minimum: 1, maximum: maxReadBytes, default: 64 * 1024 },
        as: {
          enum: ['text', 'base64', 'json'],
          default: 'text',
          description:
            'The form, and the field of the result that holds it. With json, Executor reads all of it and ignores offset and length',
        },
      },
    },
  },
];
