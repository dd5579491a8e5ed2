import { createHash } from 'node:crypto';
import { ToolPacker } from '@executor/engine';
import { decodeText } from '../../document/decode-text.ts';
import { Warnings } from '../../document/warnings.ts';
import { UnusableDocumentError } from '../../openapi/reader/document/document.ts';
import type { ReadDocument, ReadRequest } from '../../openapi/reader/read-document.ts';
import { ClosureHashes } from '../../schema/closure-hashes.ts';
import type { Converted } from '../../schema/definition.ts';
import { entryName, type TypeEntry } from '../type-entry.ts';
import { buildGraphQlSchema } from './build-schema.ts';
import { DefaultSelections } from './default-selection.ts';
import { nameFields } from './field-names.ts';
import { readField } from './read-field.ts';
import { ResultSchemas } from './result-schemas.ts';
import { rootFields } from './root-fields.ts';
import { typeEntries } from './type-entries.ts';
import { TypeSchemas } from './type-schemas.ts';

/*
 * Reads a GraphQL schema and makes a tool of each field of `Query` and `Mutation`, in the process that reads documents:
 *
 * 1. `build-schema.ts`       Builds the schema from introspection or SDL with the reference implementation.
 * 2. `root-fields.ts`        Lists the fields that become tools; `field-names.ts` assigns their paths.
 * 3. `default-selection.ts`  Chooses the fields of a result that are selected by default.
 * 4. `type-schemas.ts`       Converts types to JSON Schema; `result-schemas.ts` those of selections.
 * 5. `read-field.ts`         Makes the tool with its plan (`../field-plan.ts`).
 * 6. `type-entries.ts`       Packs each type once more in the form in which the server checks a selection.
 *
 * The schema is untrusted. Every stage takes linear time, treats `__proto__` as an ordinary name, and is safe on cycles.
 */

const progressEvery = 200;

/** Throws an `UnusableDocumentError` if the schema cannot be used. */
export function readGraphQl({
  bytes,
  onProgress,
  ...options
}: Omit<ReadRequest, 'fetch' | 'url'>): ReadDocument {
  const { schema, format, problems } = buildGraphQlSchema(decodeText(bytes));
  const warnings = new Warnings();
  for (const problem of problems) warnings.add('', problem);
  const subscriptions = Object.keys(schema.getSubscriptionType()?.getFields() ?? {});
  const fields = rootFields(schema);
  if (fields.length === 0) throw new UnusableDocumentError(noFields(subscriptions));
  if (subscriptions.length > 0) warnings.add('', ignored(subscriptions));
  const packer = new ToolPacker();
  const entries = new Map(typeEntries(schema));
  const types = new TypeSchemas(packer);
  const context = {
    types,
    results: new ResultSchemas(packer, types),
    selections: new DefaultSelections(schema),
    hashes: new ClosureHashes(inputHashes(entries)),
  };
  const paths = [...nameFields(fields, options)].sort(([, a], [, b]) => (a < b ? -1 : 1));
  for (const [index, [field, path]] of paths.entries()) {
    if (index % progressEvery === 0) onProgress?.(index, paths.length);
    packer.add(readField(path, field, context));
  }
  for (const [name, entry] of entries) packer.define(entryName(name), entry as Record<string, unknown>);
  onProgress?.(paths.length, paths.length);
  return {
    mediaType: format === 'sdl' ? 'application/graphql' : 'application/json',
    security: [],
    serverVariables: [],
    warnings: warnings.all,
    tools: packer.finish(),
    toolCount: paths.length,
  };
}

function ignored(subscriptions: string[]): string {
  const [first, second] = subscriptions;
  const names = second === undefined ? first : `${first}, ${second}${subscriptions.length > 2 ? ', …' : ''}`;
  return `Executor does not support subscriptions, because a call has one result. It ignored ${subscriptions.length}: ${names}`;
}

function noFields(subscriptions: string[]): string {
  return subscriptions.length > 0
    ? 'The schema has only subscriptions, which Executor does not support, because a call has one result.'
    : 'The schema has no queries and no mutations, so there is nothing to call.';
}

/** What the input types accept, without their descriptions. */
function inputHashes(entries: ReadonlyMap<string, TypeEntry>): Map<string, Converted> {
  const hashes = new Map<string, Converted>();
  for (const [name, entry] of entries) {
    const references =
      entry.kind === 'input' ? entry.fields.map(([, type]) => type.replace(/[[\]!]/g, '')) : [];
    const isInput = entry.kind === 'input' || entry.kind === 'enum' || entry.kind === 'scalar';
    if (isInput)
      hashes.set(name, {
        hash: createHash('sha256').update(JSON.stringify(entry)).digest('base64url'),
        references,
      });
  }
  return hashes;
}
