import { type PackedTools, type SecurityScheme, ToolPacker } from '@executor/engine';
import type { Document } from './document/document.ts';
import { isObject, type JsonObject, own, textOf } from './document/json.ts';
import { type Located, Place } from './document/place.ts';
import { type Fetched, References } from './document/references.ts';
import { type Warning, Warnings } from './document/warnings.ts';
import type { ReadOptions } from './messages.ts';
import type { Api } from './operation/api.ts';
import { readSchemes } from './operation/security.ts';
import { documentServers, filledUrl } from './operation/servers.ts';
import { decodeText } from './parse/decode-text.ts';
import { parseText } from './parse/parse-text.ts';
import { recognise } from './parse/recognise.ts';
import { Refusal } from './refusal.ts';
import { SchemaReader } from './schema/schema-reader.ts';
import { readTools } from './tool/read-tools.ts';

export interface ReadRequest extends ReadOptions {
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
  /** Why there are no tools, if there are none. */
  nothing?: string;
}

/** Reads the bytes of a document and packs its tools. Throws a `Refusal` if the document is unusable. */
export function readDocument(request: ReadRequest): ReadDocument {
  const { root, format, warnings: ofText } = parseText(decodeText(request.bytes));
  const { dialect, warning } = recognise(root);
  const document: Document = { main: true, url: request.url, root };
  const place = Place.root(document);
  const warnings = new Warnings();
  for (const message of [...ofText, ...(warning === undefined ? [] : [warning])])
    warnings.add(place, message);
  const references = new References(document, warnings, (url) => fetchOther(url, request));
  const packer = new ToolPacker();
  const schemas = new SchemaReader({ references, warnings, dialect, packer });
  const variables: Api['variables'] = new Map();
  const api: Api = { root: root as JsonObject, place, dialect, references, warnings, schemas, variables };
  schemas.reserve(componentsOf(api));
  const servers = documentServers(api);
  const schemes = readSchemes(api);
  const toolCount = readTools({
    ...request,
    api,
    servers,
    schemes,
    packer,
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
    warnings: warnings.all,
    tools: packer.finish(),
    toolCount,
    ...(toolCount === 0 && { nothing: whyNothing(root) }),
  };
}

/** A source must have tools: a refresh to none would drop the users' settings for the existing tools. */
export function requireTools({ nothing }: Pick<ReadDocument, 'nothing'>): void {
  if (nothing === undefined) return;
  throw new Refusal(`${nothing}, so there is nothing to call. Use the document that has the operations.`);
}

function whyNothing(root: unknown): string {
  const paths = own(root, 'paths');
  const isFilled = (key: string) => Object.keys(own(root, key) ?? {}).length > 0;
  if (['webhooks', 'x-webhooks'].some(isFilled))
    return 'The document has only webhooks, which the API itself calls, and no operations in its paths';
  if (Array.isArray(paths))
    return 'The paths of the document are a list, but must be an object with a key for each path';
  if (paths === undefined) return 'The document has no paths';
  return 'The document has no operations in its paths';
}

/** Tags with a name, sorted by name. */
function* componentsOf({ root, place, dialect }: Api): Generator<Located> {
  const [components, inside] =
    dialect === 'swagger2'
      ? [own(root, 'definitions'), place.at('definitions')]
      : [own(own(root, 'components'), 'schemas'), place.at('components').at('schemas')];
  for (const name of isObject(components) ? Object.keys(components).sort() : []) {
    yield { value: own(components, name), place: inside.at(name) };
  }
}

function fetchOther(url: string, request: ReadRequest): Fetched {
  const answer = request.fetch(url);
  if ('refused' in answer) return answer;
  try {
    return { root: parseText(decodeText(answer.bytes)).root, url: answer.url };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
}
