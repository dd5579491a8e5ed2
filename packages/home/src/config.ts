import { type ErrorCode, ExecutorError, issueSentence, nearest } from '@executor/protocol';
import * as z from 'zod';
import { configPath, readConfigFile, writeConfigFile } from './config-file.ts';
import type { Folders } from './folders.ts';

/** As it stands in a Host header, without scheme and port. */
const HostName = z
  .string()
  .regex(
    /^([\w-]+(\.[\w-]+)*|\[[\da-fA-F:]+\])$/,
    'must be a host name without scheme and port, such as executor.example.com',
  );

const ConfigValues = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').describe('The address to listen on'),
  port: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
      z.number().int().min(0).max(65535),
    )
    .default(8788)
    .describe('The port to listen on; 0 takes any free one'),
  databaseUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
    .optional()
    .describe('A Postgres database to use instead of the embedded one'),
  allowedHosts: z
    .preprocess((value) => (typeof value === 'string' ? splitList(value) : value), z.array(HostName))
    .default([])
    .describe('Additional host names of the server, such as that of a reverse proxy'),
  publicUrl: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://executor.example.com' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Public URL of the server, for links, if it is not its own address'),
  authorizationServer: z
    .string()
    .refine(isIssuer, {
      error:
        'must be the address of an OAuth authorization server, such as https://login.example.com: https (http only on this machine), without query and fragment',
    })
    .optional()
    .describe('An OAuth authorization server whose tokens MCP clients may use instead of keys'),
  toolSources: z
    .preprocess(parsedList, z.array(z.unknown(), { error: 'must be a JSON array of sources' }))
    .default([])
    .describe('Sources to connect at the start, as a JSON array'),
  drainSeconds: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
      z.number().int().min(0).max(3_600),
    )
    .default(60)
    .describe('How long a stop waits for calls that must not be sent twice'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('Log level'),
});
export type Config = z.infer<typeof ConfigValues>;
type ConfigKey = keyof Config;

export const configKeys = Object.keys(ConfigValues.shape) as ConfigKey[];

const environmentNames: Record<ConfigKey, string> = {
  host: 'EXECUTOR_HOST',
  port: 'EXECUTOR_PORT',
  databaseUrl: 'EXECUTOR_DATABASE_URL',
  allowedHosts: 'EXECUTOR_ALLOWED_HOSTS',
  publicUrl: 'EXECUTOR_PUBLIC_URL',
  authorizationServer: 'MCP_AUTHORIZATION_SERVER',
  toolSources: 'EXECUTOR_TOOL_SOURCES',
  drainSeconds: 'EXECUTOR_DRAIN_SECONDS',
  logLevel: 'EXECUTOR_LOG_LEVEL',
};

/** Alternative names, used if the first is not set. */
const environmentAliases: Partial<Record<ConfigKey, string>> = {
  authorizationServer: 'MCP_AUTHORIZATION_SERVER_URL',
};

/** The variable that sets a key in this environment; if none does, the one that could. */
export function environmentNameOf(key: ConfigKey, env: NodeJS.ProcessEnv): string {
  const alias = environmentAliases[key];
  const name = environmentNames[key];
  return alias !== undefined && !env[name] && env[alias] ? alias : name;
}

export interface ConfigEntry {
  key: ConfigKey;
  value: Config[ConfigKey];
  /** What decided the value: the strongest of these that is set, flags first. */
  origin: 'flag' | 'environment' | 'file' | 'default';
  description: string;
}

interface ConfigInput {
  folders: Folders;
  env: NodeJS.ProcessEnv;
  flags?: Partial<Record<ConfigKey, string>>;
}

export function loadConfig(input: ConfigInput): Config {
  return Object.fromEntries(listConfig(input).map(({ key, value }) => [key, value])) as Config;
}

export function listConfig({ folders, env, flags = {} }: ConfigInput): ConfigEntry[] {
  const file = readConfigFile(folders);
  for (const key of Object.keys(file)) requireKey(key, configPath(folders), 'invalidConfig');
  return configKeys.map((key) => {
    const variable = environmentNameOf(key, env);
    const { origin, value, where } = strongestValue(
      key,
      { flag: flags[key], environment: env[variable] || undefined, file: file[key] },
      { variable, folders },
    );
    const code = origin === 'flag' ? 'usage' : 'invalidConfig';
    return {
      key,
      origin,
      description: ConfigValues.shape[key].description ?? '',
      value: parse(key, value, where, code),
    };
  });
}

/** The value of the strongest origin, and the name of that origin in messages. */
function strongestValue(
  key: ConfigKey,
  values: { flag: unknown; environment: unknown; file: unknown },
  { variable, folders }: { variable: string; folders: Folders },
) {
  if (values.flag !== undefined) return { origin: 'flag' as const, value: values.flag, where: `--${key}` };
  if (values.environment !== undefined) {
    return { origin: 'environment' as const, value: values.environment, where: variable };
  }
  if (values.file !== undefined) {
    return { origin: 'file' as const, value: values.file, where: `${key} in ${configPath(folders)}` };
  }
  return { origin: 'default' as const, value: undefined, where: key };
}

/** Sets a key in config.json, or removes it if the value is undefined. */
export function setConfig(folders: Folders, key: string, value: string | undefined): void {
  const known = requireKey(key, 'the configuration', 'usage');
  const { [known]: _, ...others } = readConfigFile(folders);
  writeConfigFile(
    folders,
    value === undefined ? others : { ...others, [known]: parse(known, value, known, 'usage') },
    configJsonSchema(),
  );
}

export function requireKey(key: string, where: string, code: ErrorCode): ConfigKey {
  if ((configKeys as string[]).includes(key)) return key as ConfigKey;
  const meant = nearest(key, configKeys);
  throw new ExecutorError(
    code,
    `There is no key "${key}" in ${where}.${meant ? ` Did you mean "${meant}"?` : ''} Keys: ${configKeys.join(', ')}.`,
    { details: { key, nearest: meant } },
  );
}

/** The JSON Schema of config.json, for editors. */
function configJsonSchema(): Record<string, unknown> {
  const { properties, ...schema } = z.toJSONSchema(ConfigValues, { io: 'input', unrepresentable: 'any' });
  return {
    ...schema,
    title: 'Executor configuration',
    properties: { $schema: { type: 'string' }, ...properties },
  };
}

function parse(key: ConfigKey, value: unknown, where: string, code: ErrorCode): Config[ConfigKey] {
  const parsed = ConfigValues.shape[key].safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ExecutorError(
    code,
    `${where}: ${issueSentence(parsed.error)}${holdsSecrets(key) ? '' : `, got ${JSON.stringify(value)}`}.`,
    { details: { key } },
  );
}

/** Values with passwords or tokens are never shown in messages. */
function holdsSecrets(key: ConfigKey): boolean {
  return key === 'databaseUrl' || key === 'toolSources';
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

/** In the environment a list is JSON text. Invalid text is rejected unchanged. */
function parsedList(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
