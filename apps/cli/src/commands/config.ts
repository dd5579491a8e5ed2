import {
  type ConfigEntry,
  configPath,
  environmentNameOf,
  listConfig,
  readDaemonRecord,
  requireKey,
  resolveFolders,
  setConfig,
  withoutPassword,
} from '@executor/home';
import { jsonText, printJson, printTable, self } from '../output.ts';

export async function listConfiguration({ json = false }: { json?: boolean }): Promise<void> {
  const entries = listConfig({ folders: resolveFolders(process.env), env: process.env }).map(concealPassword);
  if (json) return printJson({ items: entries });
  printTable(
    ['KEY', 'VALUE', 'FROM', 'MEANING'],
    entries.map(({ key, value, origin, description }) => [
      key,
      show(value),
      origin === 'environment' ? environmentNameOf(key, process.env) : origin,
      description,
    ]),
  );
}

export async function getConfiguration(key: string, { json = false }: { json?: boolean }): Promise<void> {
  const known = requireKey(key, 'the configuration', 'usage');
  const entry = listConfig({ folders: resolveFolders(process.env), env: process.env }).find(
    (candidate) => candidate.key === known,
  );
  if (json) return printJson(entry);
  console.log(show(entry?.value));
}

export function setConfiguration(key: string, value: string | undefined): void {
  const folders = resolveFolders(process.env);
  setConfig(folders, key, value);
  console.log(`${value === undefined ? 'Removed' : 'Set'} ${key} in ${configPath(folders)}.`);
  const override = environmentNameOf(requireKey(key, 'the configuration', 'usage'), process.env);
  if (process.env[override]) console.log(`${override} is set and wins over it.`);
  const record = readDaemonRecord(folders);
  if (record?.role === 'server') console.log(`Restart \`${self} server\` to make it use it.`);
  else if (record) console.log(`\`${self} restart\` makes the running daemon use it.`);
}

export function printConfigurationPath(): void {
  console.log(configPath(resolveFolders(process.env)));
}

/** A list is read over shoulders and pasted into reports; `config get databaseUrl` shows the whole. */
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
