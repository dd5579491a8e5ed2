import { type PackedTools, type SecurityScheme, ToolPacker } from '@executor/engine';
import { decodeText } from '../../document/decode-text.ts';
import { isObject, type JsonObject, own, textOf } from '../../document/json.ts';
import { JsonPointer, type Located } from '../../document/json-pointer.ts';
import { type Warning, Warnings } from '../../document/warnings.ts';
import { describeDiscovery } from '../../google/discovery/describe.ts';
import type { ReadOptions } from '../../reader/messages.ts';
import type { Document } from './document/document.ts';
import { UnusableDocumentError } from './document/document.ts';
import { type Fetched, References } from './document/references.ts';
import type { Api } from './operation/api.ts';
import { readSchemes } from './operation/security.ts';
import { documentServers, filledUrl } from './operation/servers.ts';
import type { DescribedDocument } from './parse/described-document.ts';
import { parseText } from './parse/parse-text.ts';
import { recognise } from './parse/recognise.ts';
import { SchemaReader } from './schema/schema-reader.ts';
import { readTools } from './tool/read-tools.ts';

/*
 * Reads an OpenAPI or Swagger document and makes a tool of each operation. A Google Discovery document is translated first
 * (`google/discovery/`). The stages, one folder each:
 *
 * 1. `process/`    The server starts a child process and streams the bytes of the document to it (`load-document.ts`). The child
 *                  (`main.ts`) calls `readDocument` below and returns packed tools.
 * 2. `parse/`      Decodes the bytes, parses JSON or YAML within limits, and recognises the dialect: Swagger 2.0, OpenAPI 3.0 or 3.1.
 * 3. `document/`   Resolves references within the document and to others, and collects warnings by JSON pointer.
 * 4. `schema/`     Converts schemas of any dialect to JSON Schema 2020-12. Referenced schemas become shared definitions.
 * 5. `operation/`  Lists the operations and reads parameters, output, servers and security. `body/` reads their request bodies.
 * 6. `tool/`       Names and describes each tool, decides its effect, and packs it with its plan (`../operation.ts`).
 *
 * The document is untrusted: every stage has limits, takes linear time, and treats `__proto__` as an ordinary key. A problem in one
 * part adds a warning and drops only that part. The whole document is refused only if it has no operations that can be called.
 */

export interface ReadRequest extends ReadOptions {
  /** OpenAPI by default. */
  format?: 'openapi' | 'google';
  bytes: Uint8Array;
  /** URL of the document; undefined for text. */
  url: string | undefined;
  /** The bytes of a referenced document, or why it is not available. */
  fetch(url: string): { bytes: Uint8Array; url: string } | { refused: string };
  onProgress?(done: number, total: number): void;
}

export interface ReadDocument {
  title?: string;
  baseUrl?: string;
  mediaType: string;
  security: SecurityScheme[];
  serverVariables: [name: string, choices: string[]][];
  warnings: Warning[];
  tools: PackedTools;
  toolCount: number;
  /** Set if there are no tools. Part of a sentence. */
  noToolsReason?: string;
}

/** Throws an `UnusableDocumentError` if the document cannot be used. */
export function readDocument(request: ReadRequest): ReadDocument {
  const { root: parsed, format, warnings: textWarnings } = parseText(decodeText(request.bytes));
  const described = request.format === 'google' ? describeDiscovery(parsed) : describeOpenApi(parsed);
  const { root, dialect, warning, pointerOf = (place) => place } = described;
  const document: Document = { main: true, url: request.url, root };
  const pointer = JsonPointer.root(document);
  const warnings = new Warnings();
  for (const message of [...textWarnings, ...(warning === undefined ? [] : [warning])])
    warnings.add(pointer, message);
  const references = new References(document, warnings, (url) => fetchReferenced(url, request));
  const packer = new ToolPacker();
  const schemas = new SchemaReader({ references, warnings, dialect, packer });
  const variables: Api['variables'] = new Map();
  const api: Api = { root, pointer, dialect, references, warnings, schemas, variables };
  schemas.reserve(componentsOf(api));
  const servers = documentServers(api);
  const schemes = readSchemes(api);
  const toolCount = readTools({
    ...request,
    api,
    servers,
    schemes,
    packer,
    operations: described.operations?.(pointer, warnings),
    onProgress: request.onProgress ?? (() => {}),
  });
  const title = textOf(own(own(root, 'info'), 'title'))
    ?.trim()
    .slice(0, 200);
  const baseUrl = servers[0] && filledUrl(servers[0], request.serverVariables);
  return {
    ...(title && { title }),
    ...(baseUrl !== undefined && { baseUrl }),
    mediaType: format === 'json' ? 'application/json' : 'application/yaml',
    security: [...schemes.values()],
    serverVariables: [...variables],
    warnings: warnings.all.map(({ place, message }) => ({ place: pointerOf(place), message })),
    tools: packer.finish(),
    toolCount,
    ...(toolCount === 0 && { noToolsReason: described.noToolsReason }),
  };
}

function describeOpenApi(root: unknown): DescribedDocument {
  const recognised = recognise(root);
  return { root: root as JsonObject, ...recognised, noToolsReason: noToolsReasonOf(root) };
}

/** A source must have tools: a refresh to none would drop the users' settings for the existing tools. */
export function requireTools({ noToolsReason }: Pick<ReadDocument, 'noToolsReason'>): void {
  if (noToolsReason === undefined) return;
  throw new UnusableDocumentError(
    `${noToolsReason}, so there is nothing to call. Use the document that has the operations.`,
  );
}

function noToolsReasonOf(root: unknown): string {
  const paths = own(root, 'paths');
  const isFilled = (key: string) => Object.keys(own(root, key) ?? {}).length > 0;
  if (['webhooks', 'x-webhooks'].some(isFilled))
    return 'The document has only webhooks, which the API itself calls, and no operations in its paths';
  if (Array.isArray(paths))
    return 'The paths of the document are a list, but must be an object with a key for each path';
  if (paths === undefined) return 'The document has no paths';
  return 'The document has no operations in its paths';
}

/** The components, sorted by name, so that names do not depend on the order in the document. */
function* componentsOf({ root, pointer, dialect }: Api): Generator<Located> {
  const [components, inside] =
    dialect === 'swagger2'
      ? [own(root, 'definitions'), pointer.at('definitions')]
      : [own(own(root, 'components'), 'schemas'), pointer.at('components').at('schemas')];
  for (const name of isObject(components) ? Object.keys(components).sort() : []) {
    yield { value: own(components, name), pointer: inside.at(name) };
  }
}

function fetchReferenced(url: string, request: ReadRequest): Fetched {
  const fetched = request.fetch(url);
  if ('refused' in fetched) return fetched;
  try {
    return { root: parseText(decodeText(fetched.bytes)).root, url: fetched.url };
  } catch (error) {
    if (error instanceof UnusableDocumentError) return { refused: error.message };
    throw error;
  }
}
