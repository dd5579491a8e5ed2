import { isObject, own, textOf } from '../../../document/json.ts';
import { OtherFormatError, UnusableDocumentError } from '../document/document.ts';

/** The specification that a document follows. */
export type Dialect = 'swagger2' | 'openapi3.0' | 'openapi3.1';

export interface Recognised {
  dialect: Dialect;
  warning?: string;
}

/** The dialect of an OpenAPI document. Throws an `UnusableDocumentError` that says what the document seems to be instead. */
export function recognise(root: unknown): Recognised {
  if (!isObject(root))
    throw new UnusableDocumentError(`The document is ${kindOf(root)}, not an OpenAPI document. ${instead}`);
  const openapi = versionText(own(root, 'openapi'));
  const swagger = versionText(own(root, 'swagger'));
  if (openapi !== undefined && /^3(\.|$)/.test(openapi)) return dialectOf(openapi);
  if (swagger !== undefined && /^2(\.|$)/.test(swagger)) return { dialect: 'swagger2' };
  if (openapi !== undefined && /^2(\.|$)/.test(openapi)) {
    return {
      dialect: 'swagger2',
      warning: `openapi is ${openapi}. Executor read the document as Swagger 2.0.`,
    };
  }
  if (swagger !== undefined && /^3(\.|$)/.test(swagger)) {
    return {
      dialect: 'openapi3.0',
      warning: `swagger is ${swagger}. Executor read the document as OpenAPI 3.0.`,
    };
  }
  if (openapi !== undefined)
    throw new UnusableDocumentError(
      `This is an OpenAPI document of an unknown version, ${openapi.slice(0, 40)}. ${instead}`,
    );
  if (own(root, 'kind') === 'discovery#restDescription')
    throw new OtherFormatError(
      'This is a Google Discovery document, not an OpenAPI document. Add it as a source of the kind google.',
    );
  const otherFormat = otherFormats.find(([matches]) => matches(root));
  if (otherFormat) throw new UnusableDocumentError(`${otherFormat[1]} ${instead}`);
  if (isObject(own(root, 'paths'))) return guessDialect(root);
  throw new UnusableDocumentError(
    `The document has none of the keys openapi, swagger and paths, so it is not an OpenAPI document. It has ${keysOf(root)}. ${instead}`,
  );
}

const instead = 'Use an OpenAPI document (3.0 or 3.1) or a Swagger document (2.0).';

function dialectOf(version: string): Recognised {
  if (/^3(\.0|$)/.test(version)) return { dialect: 'openapi3.0' };
  if (/^3\.[12](\.|$)/.test(version)) return { dialect: 'openapi3.1' };
  return {
    dialect: 'openapi3.1',
    warning: `openapi is ${version}. Executor read the document as OpenAPI 3.1.`,
  };
}

function guessDialect(root: Record<string, unknown>): Recognised {
  const swaggerKeys = ['definitions', 'host', 'basePath', 'securityDefinitions', 'consumes', 'produces'];
  const dialect = swaggerKeys.some((key) => Object.hasOwn(root, key)) ? 'swagger2' : 'openapi3.0';
  const name = dialect === 'swagger2' ? 'Swagger 2.0' : 'OpenAPI 3.0';
  return { dialect, warning: `The document does not name its version. Executor read it as ${name}.` };
}

/** YAML without quotes makes the version a number. */
function versionText(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : textOf(value)?.trim();
}

const maxKeys = 5;

/** The first keys, which often show what the document is instead. */
function keysOf(root: Record<string, unknown>): string {
  const keys = Object.keys(root).map((key) => key.slice(0, 40));
  if (keys.length === 0) return 'nothing';
  return keys.length > maxKeys ? `${keys.slice(0, maxKeys).join(', ')} and others` : keys.join(', ');
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'plain text' : `a ${typeof value}`;
}

const otherFormats: [(root: Record<string, unknown>) => boolean, string][] = [
  [(root) => Object.hasOwn(root, 'asyncapi'), 'This is an AsyncAPI document.'],
  [
    (root) => Object.hasOwn(root, 'swaggerVersion') || Object.hasOwn(root, 'swagger'),
    'This is a Swagger document of a version before 2.0.',
  ],
  [isPostman, 'This is a Postman collection. Export it as OpenAPI.'],
  [
    (root) => isObject(own(root, '__schema')) || isObject(own(own(root, 'data'), '__schema')),
    'This is the introspection of a GraphQL server.',
  ],
  [isGraphQlError, 'This is a response of a GraphQL server. There is no OpenAPI document at this URL.'],
  [(root) => Object.hasOwn(root, 'arazzo'), 'This is an Arazzo description of workflows.'],
  [(root) => Object.hasOwn(root, 'overlay'), 'This is an OpenAPI overlay, which changes another document.'],
  [(root) => Object.hasOwn(root, 'openrpc'), 'This is an OpenRPC document.'],
  [
    (root) => isObject(own(root, 'log')) && Array.isArray(own(own(root, 'log'), 'entries')),
    'This is a HAR file.',
  ],
  [
    (root) =>
      Object.hasOwn(root, '$schema') || (isObject(own(root, 'properties')) && !Object.hasOwn(root, 'paths')),
    'This is a JSON Schema.',
  ],
];

/** GraphQL servers respond like this to a request without a query. */
function isGraphQlError(root: Record<string, unknown>): boolean {
  const errors = own(root, 'errors');
  const [first] = Array.isArray(errors) ? errors : [];
  return Object.keys(root).length <= 2 && /\bquery\b/i.test(textOf(own(first, 'message')) ?? '');
}

function isPostman(root: Record<string, unknown>): boolean {
  const info = own(root, 'info');
  return (textOf(own(info, 'schema')) ?? '').includes('postman') || own(info, '_postman_id') !== undefined;
}
