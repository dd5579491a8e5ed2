import { isObject, type JsonObject, own, textOf } from '../../document/json.ts';
import { OtherFormatError } from '../../openapi/reader/document/document.ts';
import type { DescribedDocument } from '../../openapi/reader/parse/described-document.ts';
import { discoveryOperations } from './methods.ts';
import { keyScheme, oauthScheme, scopesOf } from './operation.ts';
import { openApiSchemas } from './schema.ts';

/*
 * Google describes its APIs with Discovery documents. This folder translates one to the parts of an OpenAPI 3.1 document, which the
 * reader of OpenAPI then reads, so that both kinds have the same tools, requests and responses:
 *
 * - `schema.ts`     schemas, which refer to each other by name
 * - `operation.ts`  parameters, body, responses and scopes of a method
 * - `methods.ts`    the tree of resources, with the names of the tools, uploads and downloads
 *
 * Only keywords that are known are translated. The document is untrusted.
 */

/** Throws an `UnusableDocumentError` if it is no Discovery document. */
export function describeDiscovery(root: unknown): DescribedDocument {
  const kind = textOf(own(root, 'kind'));
  if (kind === 'discovery#directoryList')
    throw new OtherFormatError(
      'This is the list of all Google APIs. Use the discoveryRestUrl of one of its items.',
    );
  if (!isObject(root) || kind !== 'discovery#restDescription')
    throw new OtherFormatError(
      'This is not a Google Discovery document, whose `kind` is `discovery#restDescription`. Use a URL such as https://www.googleapis.com/discovery/v1/apis/drive/v3/rest',
    );
  const schemas = own(root, 'schemas');
  return {
    root: {
      info: { title: own(root, 'title') },
      servers: serversOf(root),
      components: {
        schemas: isObject(schemas) ? openApiSchemas(schemas) : {},
        securitySchemes: schemesOf(root),
      },
    },
    dialect: 'openapi3.1',
    operations: (pointer, warnings) => discoveryOperations(root, pointer, warnings),
    noToolsReason: 'The document has no methods',
    pointerOf: (place) =>
      place
        .replace(/^\/components\/schemas(?=\/|$)/, '/schemas')
        .replace(/^\/components\/securitySchemes(?=\/|$)/, '/auth')
        .replace(/^\/servers(\/0)?$/, '/rootUrl'),
  };
}

/** The paths of methods and uploads both follow the root URL. */
function serversOf(root: JsonObject): JsonObject[] {
  const url = textOf(own(root, 'rootUrl'));
  return url === undefined ? [] : [{ url }];
}

function schemesOf(root: JsonObject): JsonObject {
  const scopes = scopesOf(root);
  const flow = {
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    scopes,
  };
  return {
    ...(scopes && { [oauthScheme]: { type: 'oauth2', flows: { authorizationCode: flow } } }),
    [keyScheme]: { type: 'apiKey', in: 'query', name: 'key', description: 'An API key, for public data' },
  };
}
