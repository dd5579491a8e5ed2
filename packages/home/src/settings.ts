import { type LimitChanges, limitNames } from '@executor/protocol';
import { type ModelName, modelNames } from './model/language-models.ts';

/** The settings of an installation, after they are read from flags, variables and config.json. */
export interface Config {
  host: string;
  port: number;
  databaseUrl?: string | undefined;
  allowedHosts: string[];
  publicUrl?: string | undefined;
  authorizationServer?: string | undefined;
  /** The entries are validated when they are connected. */
  toolSources: unknown[];
  drainSeconds: number;
  /** Limits of resources that differ from the defaults, by name. */
  limits: LimitChanges;
  /** The language model that tool search uses. */
  'discovery.model'?: ModelName | undefined;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
}

export type ConfigKey = keyof Config;

interface Setting<Value> {
  description: string;
  /** The environment variables that set it, strongest first. */
  variables: [string, ...string[]];
  defaultValue: Value;
  /** Reads text of a flag or variable, or a JSON value of the file. Undefined if the value is invalid. */
  read(value: unknown): Value | undefined;
  /** Completes the error message of an invalid value. */
  expected: string;
  /** All values, if they are few. The error message names the nearest. */
  choices?: readonly string[];
  /** True if values contain passwords or tokens, so that messages must not show them. */
  isSecret?: boolean;
  /** The JSON Schema of the value in config.json. */
  schema: Record<string, unknown>;
}

const logLevels = ['debug', 'info', 'warn', 'error'] as const;

/** Every setting, in the order of `executor config list`. Every command reads them, so this file loads no schema library. */
export const settings: { [Key in ConfigKey]-?: Setting<Config[Key]> } = {
  host: {
    description: 'The address to listen on',
    variables: ['EXECUTOR_HOST'],
    defaultValue: '127.0.0.1',
    read: (value) => (isText(value) && value !== '' ? value : undefined),
    expected: 'must be a host name or an IP address',
    schema: { type: 'string', minLength: 1 },
  },
  port: {
    description: 'The port to listen on; 0 takes any free one',
    variables: ['EXECUTOR_PORT'],
    defaultValue: 8788,
    ...wholeNumber(0, 65_535),
  },
  databaseUrl: {
    description: 'A Postgres database to use instead of the embedded one',
    variables: ['EXECUTOR_DATABASE_URL'],
    defaultValue: undefined,
    read: (value) => (isText(value) && /^postgres(ql)?:\/\//.test(value) ? value : undefined),
    expected: 'must start with postgres:// or postgresql://',
    isSecret: true,
    schema: { type: 'string', pattern: '^postgres(ql)?://' },
  },
  allowedHosts: {
    description: 'Additional host names of the server, such as that of a reverse proxy',
    variables: ['EXECUTOR_ALLOWED_HOSTS'],
    defaultValue: [],
    read: readHostNames,
    expected: 'must be host names without scheme and port, such as executor.example.com',
    schema: { type: 'array', items: { type: 'string' } },
  },
  publicUrl: {
    description: 'Public URL of the server, for links, if it is not its own address',
    variables: ['EXECUTOR_PUBLIC_URL'],
    defaultValue: undefined,
    read: (value) => (isHttpUrl(value) ? value.replace(/\/+$/, '') : undefined),
    expected: 'must be an address such as https://executor.example.com',
    schema: { type: 'string', format: 'uri' },
  },
  authorizationServer: {
    description: 'An OAuth authorization server whose tokens MCP clients may use instead of keys',
    variables: ['MCP_AUTHORIZATION_SERVER', 'MCP_AUTHORIZATION_SERVER_URL'],
    defaultValue: undefined,
    read: (value) => (isText(value) && isIssuer(value) ? value : undefined),
    expected:
      'must be the address of an OAuth authorization server, such as https://login.example.com: https (http only on this machine), without query and fragment',
    schema: { type: 'string' },
  },
  toolSources: {
    description: 'Sources to connect at the start, as a JSON array',
    variables: ['EXECUTOR_TOOL_SOURCES'],
    defaultValue: [],
    read: readJsonArray,
    expected: 'must be a JSON array of sources',
    isSecret: true,
    schema: { type: 'array' },
  },
  drainSeconds: {
    description: 'How long a stop waits for calls that must not be sent twice',
    variables: ['EXECUTOR_DRAIN_SECONDS'],
    defaultValue: 60,
    ...wholeNumber(0, 3_600),
  },
  limits: {
    description: 'Limits of resources that differ from the defaults; `executor doctor` lists them',
    variables: ['EXECUTOR_LIMITS'],
    defaultValue: {},
    read: readLimits,
    expected: `must be a JSON object of limits such as {"answerBytes.perKey": 33554432}. Names: ${limitNames().join(', ')}`,
    schema: {
      type: 'object',
      propertyNames: { enum: limitNames() },
      additionalProperties: { type: 'integer', minimum: 1 },
    },
  },
  'discovery.model': {
    description: 'A language model that helps to find tools; setting it downloads it',
    variables: ['EXECUTOR_DISCOVERY_MODEL'],
    defaultValue: undefined,
    ...oneOf(modelNames),
  },
  logLevel: {
    description: 'Log level',
    variables: ['EXECUTOR_LOG_LEVEL'],
    defaultValue: 'info',
    ...oneOf(logLevels),
  },
};

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function oneOf<Value extends string>(choices: readonly Value[]) {
  const [only] = choices;
  return {
    read: (value: unknown): Value | undefined => choices.find((choice) => choice === value),
    expected: choices.length === 1 ? `must be ${only}` : `must be one of ${choices.join(', ')}`,
    choices,
    schema: { type: 'string', enum: choices },
  };
}

function wholeNumber(minimum: number, maximum: number) {
  return {
    read(value: unknown): number | undefined {
      const number = isText(value) && /^\d+$/.test(value) ? Number(value) : value;
      const isInRange = Number.isInteger(number) && Number(number) >= minimum && Number(number) <= maximum;
      return isInRange ? Number(number) : undefined;
    },
    expected: `must be a whole number from ${minimum} to ${maximum}`,
    schema: { type: 'integer', minimum, maximum },
  };
}

/** Names as in a Host header, without scheme and port. Text separates them with commas. */
function readHostNames(value: unknown): string[] | undefined {
  const names: unknown = isText(value) ? value.split(',').map((name) => name.trim()) : value;
  if (!Array.isArray(names)) return undefined;
  const listed = isText(value) ? names.filter((name) => name !== '') : names;
  const isHostName = (name: unknown) => isText(name) && /^([\w-]+(\.[\w-]+)*|\[[\da-fA-F:]+\])$/.test(name);
  return listed.every(isHostName) ? listed : undefined;
}

function isHttpUrl(value: unknown): value is string {
  return isText(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** Signing keys fetched over plain HTTP could be forged, so HTTP is allowed on this machine only. */
function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash, username } = new URL(value);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isSafe && search === '' && hash === '' && username === '' && !/[?#]/.test(value);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

function readJsonArray(value: unknown): unknown[] | undefined {
  const list = isText(value) ? parseJson(value) : value;
  return Array.isArray(list) ? list : undefined;
}

function readLimits(value: unknown): LimitChanges | undefined {
  const limits: unknown = isText(value) ? parseJson(value) : value;
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits)) return undefined;
  const names = limitNames();
  const isLimit = ([name, limit]: [string, unknown]) =>
    names.includes(name) && Number.isSafeInteger(limit) && Number(limit) >= 1;
  return Object.entries(limits).every(isLimit) ? (limits as LimitChanges) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
