import { type ErrorCode, ExecutorError, nearest } from '@executor/protocol';
import { configPath, readConfigFile, writeConfigFile } from './config-file.ts';
import type { Folders } from './folders.ts';
import { type Config, type ConfigKey, settings } from './settings.ts';

export const configKeys = Object.keys(settings) as ConfigKey[];

/** The variable that sets a key in this environment; if none does, the one that could. */
export function environmentNameOf(key: ConfigKey, env: NodeJS.ProcessEnv): string {
  const { variables } = settings[key];
  return variables.find((name) => env[name]) ?? variables[0];
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
  return Object.fromEntries(listConfig(input).map(({ key, value }) => [key, value])) as unknown as Config;
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
      description: settings[key].description,
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
  const properties = configKeys.map((key) => {
    const { schema, description, defaultValue } = settings[key];
    return [key, { description, ...(defaultValue !== undefined && { default: defaultValue }), ...schema }];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Executor configuration',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
    additionalProperties: false,
  };
}

function parse(key: ConfigKey, value: unknown, where: string, code: ErrorCode): Config[ConfigKey] {
  const { defaultValue, read, expected, isSecret, choices = [] } = settings[key];
  if (value === undefined) return defaultValue;
  const parsed = read(value);
  if (parsed !== undefined) return parsed;
  const meant = nearest(String(value), choices);
  throw new ExecutorError(
    code,
    `${where}: ${expected}${isSecret ? '' : `, got ${JSON.stringify(value)}`}.${meant ? ` Did you mean "${meant}"?` : ''}`,
    { details: { key, ...(meant && { nearest: meant }) } },
  );
}
