import type { SecurityRequirement, SecurityScheme } from '@executor/engine';
import { isObject, type JsonObject, listOf, own, stringsOf, textOf } from '../document/json.ts';
import type { Located } from '../document/place.ts';
import { plainText } from '../tool/plain-text.ts';
import type { Api } from './api.ts';
import type { Operation } from './operations.ts';

const maxSchemes = 100;

/** The ways in which an API lets callers in, by name. */
export function readSchemes(api: Api): Map<string, SecurityScheme> {
  const [declared, place] =
    api.dialect === 'swagger2'
      ? [own(api.root, 'securityDefinitions'), api.place.at('securityDefinitions')]
      : [
          own(own(api.root, 'components'), 'securitySchemes'),
          api.place.at('components').at('securitySchemes'),
        ];
  const schemes = new Map<string, SecurityScheme>();
  for (const name of (isObject(declared) ? Object.keys(declared) : []).slice(0, maxSchemes)) {
    const located = { value: own(declared, name), place: place.at(name) };
    const scheme = readScheme(name, api.references.follow(located)?.value);
    if (scheme) schemes.set(name, scheme);
    else api.warnings.add(located.place, 'This security scheme is of no known type; it was left out.');
  }
  return schemes;
}

function readScheme(name: string, value: unknown): SecurityScheme | undefined {
  const type = textOf(own(value, 'type'))?.toLowerCase();
  const said = textOf(own(value, 'description'));
  const base = { name, ...(said && { description: plainText(said, 500) }) };
  switch (type) {
    case 'apikey':
      return apiKey(base, value as JsonObject);
    case 'basic':
      return { ...base, type: 'http', scheme: 'basic' };
    case 'http':
      return { ...base, type: 'http', scheme: (textOf(own(value, 'scheme')) ?? 'bearer').toLowerCase() };
    case 'oauth2':
      return { ...base, type: 'oauth2', flows: flowsOf(value as JsonObject) };
    case 'openidconnect':
      return { ...base, type: 'openIdConnect', url: textOf(own(value, 'openIdConnectUrl')) ?? '' };
    case 'mutualtls':
      return { ...base, type: 'mutualTls' };
    default:
      return undefined;
  }
}

function apiKey(base: { name: string; description?: string }, value: JsonObject): SecurityScheme | undefined {
  const where = textOf(own(value, 'in'))?.toLowerCase();
  const key = textOf(own(value, 'name'));
  const location = (['header', 'query', 'cookie'] as const).find((known) => known === where);
  return location && key ? { ...base, type: 'apiKey', in: location, key } : undefined;
}

const swaggerFlows = new Map([
  ['implicit', 'implicit'],
  ['password', 'password'],
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
]);

function flowsOf(value: JsonObject): Record<string, unknown> {
  const flows = own(value, 'flows');
  if (isObject(flows))
    return Object.fromEntries(
      Object.entries(flows).filter(([key, flow]) => !key.startsWith('x-') && isObject(flow)),
    );
  const flow = swaggerFlows.get(textOf(own(value, 'flow')) ?? '');
  if (flow === undefined) return {};
  const parts = ['authorizationUrl', 'tokenUrl', 'scopes'].filter((key) => own(value, key) !== undefined);
  return { [flow]: Object.fromEntries(parts.map((key) => [key, value[key]])) };
}

/** What an operation asks for: its own word, else that of the document. Undefined where nothing is said, or nothing is needed. */
export function requirementsOf(
  operation: Operation,
  schemes: ReadonlyMap<string, SecurityScheme>,
  api: Api,
): SecurityRequirement[] | undefined {
  const declared = own(operation.value, 'security');
  const located: Located =
    declared === undefined
      ? { value: own(api.root, 'security'), place: api.place.at('security') }
      : { value: declared, place: operation.place.at('security') };
  const requirements = listOf(located.value).flatMap((value, index) => {
    const requirement = readRequirement({ value, place: located.place.at(index) }, schemes, api);
    return requirement ? [requirement] : [];
  });
  return requirements.length > 0 ? requirements.slice(0, maxSchemes) : undefined;
}

function readRequirement(
  { value, place }: Located,
  schemes: ReadonlyMap<string, SecurityScheme>,
  { warnings }: Api,
): SecurityRequirement | undefined {
  if (!isObject(value)) return undefined;
  const names = Object.keys(value);
  const known = names.filter((name) => schemes.has(name));
  for (const name of names) {
    if (!schemes.has(name))
      warnings.add(place, `There is no security scheme ${name.slice(0, 100)}; it was left out.`);
  }
  if (known.length < names.length) return undefined;
  return known.map((scheme) => {
    const scopes = stringsOf(value[scheme]);
    return { scheme, ...(scopes.length > 0 && { scopes }) };
  });
}
