import {
  type ConfigEntry,
  configPath,
  environmentNameOf,
  installModel,
  listConfig,
  type ModelName,
  modelNames,
  readDaemonRecord,
  requireKey,
  setConfig,
  withoutPassword,
} from '@executor/home';
import type { Environment } from '../../environment.ts';
import { jsonText } from '../../output.ts';

export async function listConfiguration(
  environment: Environment,
  { json = false }: { json?: boolean },
): Promise<void> {
  const entries = listConfig({ folders: environment.folders, env: environment.variables }).map(
    concealPassword,
  );
  if (json) return environment.printJson({ items: entries });
  environment.printTable(
    ['KEY', 'VALUE', 'FROM', 'MEANING'],
    entries.map(({ key, value, origin, description }) => [
      key,
      show(value),
      origin === 'environment' ? environmentNameOf(key, environment.variables) : origin,
      description,
    ]),
  );
}

export async function getConfiguration(
  environment: Environment,
  key: string,
  { json = false }: { json?: boolean },
): Promise<void> {
  const known = requireKey(key, 'the configuration', 'usage');
  const entry = listConfig({ folders: environment.folders, env: environment.variables }).find(
    (candidate) => candidate.key === known,
  );
  if (json) return environment.printJson(entry);
  environment.print(show(entry?.value));
}

export async function setConfiguration(
  environment: Environment,
  key: string,
  value: string | undefined,
): Promise<void> {
  const folders = environment.folders;
  if (key === 'discovery.model' && isModel(value)) await install(environment, value);
  setConfig(folders, key, value);
  environment.print(`${value === undefined ? 'Removed' : 'Set'} ${key} in ${configPath(folders)}.`);
  const override = environmentNameOf(requireKey(key, 'the configuration', 'usage'), environment.variables);
  if (environment.variables[override]) environment.print(`${override} is set and overrides the file.`);
  const record = readDaemonRecord(folders);
  if (record?.role === 'server') environment.print(`Restart \`executor server\` to apply it.`);
  else if (record) environment.print(`\`executor restart\` applies it to the running daemon.`);
}

function isModel(value: string | undefined): value is ModelName {
  return (modelNames as (string | undefined)[]).includes(value);
}

async function install(environment: Environment, name: ModelName): Promise<void> {
  await installModel(environment.folders, name, {
    env: environment.variables,
    onProgress: (sentence) => environment.printError(sentence),
  });
}

export function printConfigurationPath(environment: Environment): void {
  environment.print(configPath(environment.folders));
}

/** Lists are pasted into reports, so the password is left out. `config get databaseUrl` shows it. */
function concealPassword(entry: ConfigEntry): ConfigEntry {
  if (Array.isArray(entry.value)) return { ...entry, value: entry.value.map(withoutAuth) };
  return entry.key === 'databaseUrl' && typeof entry.value === 'string'
    ? { ...entry, value: withoutPassword(entry.value) }
    : entry;
}

function withoutAuth(source: unknown): unknown {
  if (typeof source !== 'object' || source === null || !('auth' in source)) return source;
  return { ...source, auth: '…' };
}

function show(value: ConfigEntry['value']): string {
  if (value === undefined) return '';
  if (!Array.isArray(value)) return String(value);
  return value.every((item) => typeof item === 'string') ? value.join(',') : jsonText(value);
}
