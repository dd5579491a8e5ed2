import { createHash } from 'node:crypto';
import type { SecurityScheme, Tool, ToolPacker } from '@executor/engine';
import { own, stringsOf } from '../../../document/json.ts';
import type { ReadOptions } from '../../../reader/messages.ts';
import { withoutDescriptions } from '../../../schema/without-descriptions.ts';
import { methodOverrides } from '../../method-overrides.ts';
import type { OperationPlan, ServerPlan } from '../../operation.ts';
import type { Api } from '../operation/api.ts';
import { type OperationInput, readInput } from '../operation/input.ts';
import { compare, listOperations, type Operation } from '../operation/operations.ts';
import { readOutput } from '../operation/output.ts';
import { requirementsOf, sentSchemes } from '../operation/security.ts';
import { serverOrigin, serversOf } from '../operation/servers.ts';
import { describeOperation } from './describe.ts';
import { effectOf, withOverrides } from './effect.ts';
import { nameTools } from './names.ts';

export interface ToolsRequest extends ReadOptions {
  api: Api;
  servers: ServerPlan[];
  schemes: Map<string, SecurityScheme>;
  packer: ToolPacker;
  /** Its operations, if they are not in the paths of the document. */
  operations?: Operation[] | undefined;
  onProgress(done: number, total: number): void;
}

const progressEvery = 200;

/** Packs a tool for every operation and returns their number. An unreadable operation adds a warning and is skipped. */
export function readTools(request: ToolsRequest): number {
  const { api, packer, onProgress } = request;
  const operations = request.operations ?? listOperations(api);
  const paths = [...nameTools(operations, request)].sort(([, a], [, b]) => compare(a, b));
  let packed = 0;
  for (const [index, [operation, path]] of paths.entries()) {
    if (index % progressEvery === 0) onProgress(index, paths.length);
    try {
      packer.add(readTool(path, operation, request));
      packed += 1;
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
      api.warnings.add(
        operation.pointer,
        `This operation could not be read (${error.message}). Executor ignored it.`,
      );
    }
  }
  onProgress(paths.length, paths.length);
  return packed;
}

function readTool(path: string, operation: Operation, request: ToolsRequest): Tool {
  const { api, servers, schemes, serverVariables } = request;
  const input = readInput(operation, api);
  const output = readOutput(operation, api);
  const plan = planOf(operation, input, {
    servers: serversOf(operation, api, servers),
    accept: output.accept,
  });
  const security = securityOf(operation, input, schemes, api);
  const overrides = methodOverrides(plan, { inputSchema: input.schema });
  for (const { name, effect } of overrides)
    api.warnings.add(
      operation.pointer,
      `${name.slice(0, 100)} can replace the method of the request, so Executor treats the tool as one that can do what that method does (${effect}).`,
    );
  const { method, path: operationPath, operationId } = operation;
  return {
    path,
    description: describeOperation(operation),
    ...withOverrides(effectOf(operation, input.idempotencyHeader), overrides),
    version: versionOf({ input: input.schema, plan, security }, schemes, api),
    origin: { method, path: operationPath, ...(operationId !== undefined && { operationId }) },
    ...targetOf(plan.servers, servers, serverVariables),
    ...(own(operation.value, 'deprecated') === true && { deprecated: true }),
    inputSchema: input.schema,
    ...(output.schema !== undefined && { outputSchema: output.schema }),
    ...tagsOf(operation),
    ...(security && { security }),
    plan,
  };
}

const maxTags = 8;
const maxTagChars = 80;

/** The tags after the first one, which is part of the path. */
function tagsOf({ value }: Operation): Pick<Tool, 'tags'> {
  const [, ...tags] = stringsOf(own(value, 'tags'));
  return tags.length === 0 ? {} : { tags: tags.slice(0, maxTags).map((tag) => tag.slice(0, maxTagChars)) };
}

function planOf(
  { method, template, download }: Operation,
  { parameters, body, upload, idempotencyHeader }: OperationInput,
  { servers, accept }: { servers: ServerPlan[]; accept: string[] },
): OperationPlan {
  return {
    method,
    path: template.path,
    servers,
    parameters,
    ...(body && { body }),
    ...(upload && { upload }),
    ...(download && { download }),
    accept,
    ...(idempotencyHeader !== undefined && { idempotencyHeader }),
  };
}

/** The declared requirements. A document without them may declare the `Authorization` header as a parameter instead. */
function securityOf(
  operation: Operation,
  { authorization }: OperationInput,
  schemes: Map<string, SecurityScheme>,
  api: Api,
): Tool['security'] {
  const declared = requirementsOf(operation, schemes, api);
  const isDeclared = declared?.some((alternative) => alternative.length > 0);
  if (isDeclared || authorization === undefined || own(operation.value, 'security') !== undefined)
    return declared;
  const scheme = 'Authorization';
  const known = schemes.get(scheme);
  if (known && known.type !== 'apiKey') return undefined;
  if (!known) schemes.set(scheme, { name: scheme, type: 'apiKey', in: 'header', key: 'Authorization' });
  return own(authorization.value, 'required') === true ? [[{ scheme }]] : [[{ scheme }], []];
}

/** The origin that calls are sent to, if it is not that of the document's first server. */
function targetOf(
  [server]: ServerPlan[],
  [documentServer]: ServerPlan[],
  variables: ReadOptions['serverVariables'],
): Pick<Tool, 'target'> {
  const target = server && serverOrigin(server, variables);
  const isDefault = documentServer && serverOrigin(documentServer, variables) === target;
  return target === undefined || isDefault ? {} : { target };
}

/** Changes if what is sent, or where, may change; not if only descriptions change. */
function versionOf(
  { input, plan, security }: { input: Tool['inputSchema']; plan: OperationPlan; security: Tool['security'] },
  schemes: ReadonlyMap<string, SecurityScheme>,
  { schemas }: Api,
): string {
  const { largeIntegers: _, ...schema } = input as Exclude<typeof input, boolean>;
  const parts = [
    JSON.stringify(withoutDescriptions(schema)),
    ...schemas.hashesOf(input),
    JSON.stringify([plan, security ?? [], sentSchemes(security, schemes)]),
  ];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}
