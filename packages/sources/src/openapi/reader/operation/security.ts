import type { SecurityRequirement, SecurityScheme } from '@executor/engine';
import { isObject, type JsonObject, listOf, own, stringsOf, textOf } from '../../../document/json.ts';
import type { Located } from '../../../document/json-pointer.ts';
import { plainText } from '../../../text/plain-text.ts';
import type { Api } from './api.ts';
import type { Operation } from './operations.ts';

const maxSchemes = 100;

/** The security schemes of an API, by name. */
export function readSchemes(api: Api): Map<string, SecurityScheme> {
  const [declared, pointer] =
    api.dialect === 'swagger2'
      ? [own(api.root, 'securityDefinitions'), api.pointer.at('securityDefinitions')]
      : [
          own(own(api.root, 'components'), 'securitySchemes'),
          api.pointer.at('components').at('securitySchemes'),
        ];
  const schemes = new Map<string, SecurityScheme>();
  for (const name of (isObject(declared) ? Object.keys(declared) : []).slice(0, maxSchemes)) {
    const located = { value: own(declared, name), pointer: pointer.at(name) };
    const scheme = readScheme(name, api.references.follow(located)?.value);
    if (scheme) schemes.set(name, scheme);
    else
      api.warnings.add(located.pointer, 'The type of this security scheme is unknown. Executor ignored it.');
  }
  return schemes;
}

function readScheme(name: string, value: unknown): SecurityScheme | undefined {
  const type = textOf(own(value, 'type'))?.toLowerCase();
  const description = textOf(own(value, 'description'));
  const base = { name, ...(description && { description: plainText(description, 500) }) };
  switch (type) {
    case 'apikey':
      return apiKey(base, value as JsonObject);
    case 'basic':
      return { ...base, type: 'http', scheme: 'basic' };
    case 'http':
      return {
        ...base,
        type: 'http',
        scheme: (textOf(own(value, 'scheme')) ?? 'bearer').slice(0, maxNameChars).toLowerCase(),
      };
    case 'oauth2':
      return { ...base, type: 'oauth2', flows: flowsOf(value as JsonObject) };
    case 'openidconnect':
      return {
        ...base,
        type: 'openIdConnect',
        url: (textOf(own(value, 'openIdConnectUrl')) ?? '').slice(0, maxUrlChars),
      };
    case 'mutualtls':
      return { ...base, type: 'mutualTls' };
    default:
      return undefined;
  }
}

function apiKey(base: { name: string; description?: string }, value: JsonObject): SecurityScheme | undefined {
  const declared = textOf(own(value, 'in'))?.toLowerCase();
  const key = textOf(own(value, 'name'))?.slice(0, maxNameChars);
  const location = (['header', 'query', 'cookie'] as const).find((known) => known === declared);
  return location && key ? { ...base, type: 'apiKey', in: location, key } : undefined;
}

const swaggerFlows = new Map([
  ['implicit', 'implicit'],
  ['password', 'password'],
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
]);

const flowUrls = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl'];
const maxFlows = 10;
const maxScopes = 1_000;
const maxUrlChars = 2_000;
const maxNameChars = 200;

function flowsOf(value: JsonObject): Record<string, unknown> {
  const flows = own(value, 'flows');
  const flow = swaggerFlows.get(textOf(own(value, 'flow')) ?? '');
  const declared: [string, unknown][] = isObject(flows) ? Object.entries(flows) : flow ? [[flow, value]] : [];
  return Object.fromEntries(
    declared
      .filter(([key, one]) => !key.startsWith('x-') && key.length <= maxNameChars && isObject(one))
      .slice(0, maxFlows)
      .map(([key, one]) => [key, readFlow(one)]),
  );
}

/** Keeps known fields only, with a size limit, because schemes are kept in memory. */
function readFlow(flow: unknown): Record<string, unknown> {
  const urls = flowUrls.flatMap((key) => {
    const url = textOf(own(flow, key));
    return url === undefined || url.length > maxUrlChars ? [] : [[key, url]];
  });
  const scopes = own(flow, 'scopes');
  if (!isObject(scopes)) return Object.fromEntries(urls);
  const kept = Object.entries(scopes)
    .filter(([scope]) => scope.length <= maxUrlChars)
    .slice(0, maxScopes)
    .map(([scope, description]) => [scope, (textOf(description) ?? '').slice(0, maxNameChars)]);
  return { ...Object.fromEntries(urls), scopes: Object.fromEntries(kept) };
}

/** The parts of an operation's schemes that decide what is sent and to whom. Descriptions are excluded. */
export function sentSchemes(
  requirements: SecurityRequirement[] = [],
  schemes: ReadonlyMap<string, SecurityScheme>,
): unknown[] {
  const names = new Set(requirements.flat().map(({ scheme }) => scheme));
  return [...names].sort().map((name) => {
    const scheme = schemes.get(name);
    if (scheme === undefined) return name;
    const { description: _, ...sent } = scheme;
    if (sent.type !== 'oauth2') return sent;
    const flows = Object.entries(sent.flows).map(([flow, one]) => [
      flow,
      flowUrls.map((key) => own(one, key)),
    ]);
    return { ...sent, flows };
  });
}

/**
 * The security requirement of an operation: its own, else the document's. Undefined if there is none. One empty alternative if a
 * document with schemes says that none is needed. A document without schemes states nothing.
 */
export function requirementsOf(
  operation: Operation,
  schemes: ReadonlyMap<string, SecurityScheme>,
  api: Api,
): SecurityRequirement[] | undefined {
  const declared = own(operation.value, 'security');
  const located: Located =
    declared === undefined
      ? { value: own(api.root, 'security'), pointer: api.pointer.at('security') }
      : { value: declared, pointer: operation.pointer.at('security') };
  const requirements = listOf(located.value).flatMap((value, index) => {
    const requirement = readRequirement({ value, pointer: located.pointer.at(index) }, schemes, api);
    return requirement ? [requirement] : [];
  });
  if (requirements.some((alternative) => alternative.length > 0)) return requirements.slice(0, maxSchemes);
  const isNone = requirements.length > 0 || (Array.isArray(located.value) && located.value.length === 0);
  return isNone && schemes.size > 0 ? [[]] : undefined;
}

function readRequirement(
  { value, pointer }: Located,
  schemes: ReadonlyMap<string, SecurityScheme>,
  { warnings }: Api,
): SecurityRequirement | undefined {
  if (!isObject(value)) return undefined;
  const names = Object.keys(value);
  const known = names.filter((name) => schemes.has(name));
  for (const name of names) {
    if (!schemes.has(name))
      warnings.add(
        pointer,
        `The security scheme ${name.slice(0, 100)} is not declared. Executor ignored it.`,
      );
  }
  if (known.length < names.length) return undefined;
  return known.map((scheme) => {
    const scopes = stringsOf(value[scheme]);
    return { scheme, ...(scopes.length > 0 && { scopes }) };
  });
}
