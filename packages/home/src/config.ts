import { ExecutorError, issueSentence } from '@executor/protocol';
import * as z from 'zod';
import { configPath, readConfigFile, writeConfigFile } from './config-file.ts';
import type { Folders } from './folders.ts';
import { nearest } from './nearest.ts';

const ConfigValues = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').describe('The address to listen on'),
  port: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(8788)
    .describe('The port to listen on; 0 takes any free one'),
  databaseUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
    .optional()
    .describe('A Postgres database to use instead of the embedded one'),
  allowedHosts: z
    .preprocess((value) => (typeof value === 'string' ? splitList(value) : value), z.array(z.string().min(1)))
    .default([])
    .describe('Further host names by which the server may be addressed, such as the name of a reverse proxy'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('How much goes to the log'),
});
export type Config = z.infer<typeof ConfigValues>;
type ConfigKey = keyof Config;

export const configKeys = Object.keys(ConfigValues.shape) as ConfigKey[];

export const environmentNames: Record<ConfigKey, string> = {
  host: 'EXECUTOR_HOST',
  port: 'EXECUTOR_PORT',
  databaseUrl: 'EXECUTOR_DATABASE_URL',
  allowedHosts: 'EXECUTOR_ALLOWED_HOSTS',
  logLevel: 'EXECUTOR_LOG_LEVEL',
};

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
  for (const key of Object.keys(file)) requireKey(key, configPath(folders));
  return configKeys.map((key) => {
    const schema = ConfigValues.shape[key];
    const description = schema.description ?? '';
    const fromEnvironment = env[environmentNames[key]];
    if (flags[key] !== undefined)
      return { key, description, origin: 'flag', value: parse(key, flags[key], `--${key}`) };
    if (fromEnvironment) {
      return {
        key,
        description,
        origin: 'environment',
        value: parse(key, fromEnvironment, environmentNames[key]),
      };
    }
    if (file[key] !== undefined) {
      return {
        key,
        description,
        origin: 'file',
        value: parse(key, file[key], `${key} in ${configPath(folders)}`),
      };
    }
    return { key, description, origin: 'default', value: parse(key, undefined, key) };
  });
}

/** Sets a key in config.json, or removes it where the value is undefined. */
export function setConfig(folders: Folders, key: string, value: string | undefined): void {
  const known = requireKey(key, 'the configuration');
  const { [known]: _, ...others } = readConfigFile(folders);
  writeConfigFile(
    folders,
    value === undefined ? others : { ...others, [known]: parse(known, value, known) },
    configJsonSchema(),
  );
}

export function requireKey(key: string, where: string): ConfigKey {
  if ((configKeys as string[]).includes(key)) return key as ConfigKey;
  const meant = nearest(key, configKeys);
  throw new ExecutorError(
    'invalidConfig',
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

function parse(key: ConfigKey, value: unknown, where: string): Config[ConfigKey] {
  const parsed = ConfigValues.shape[key].safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ExecutorError(
    'invalidConfig',
    // The value of a database URL holds a password: it is not repeated.
    `${where}: ${issueSentence(parsed.error)}${key === 'databaseUrl' ? '' : `, got ${JSON.stringify(value)}`}.`,
    { details: { key } },
  );
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
