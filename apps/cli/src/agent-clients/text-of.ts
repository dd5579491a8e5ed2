import type { AgentClient } from './agent-client.ts';
import type { ConfigText } from './config-text.ts';
import { jsonConfig } from './json-config.ts';
import { tomlConfig } from './toml-config.ts';

export function textOf({ format, container }: AgentClient, path: string): ConfigText {
  return format === 'toml' ? tomlConfig(container, path) : jsonConfig(container, path);
}
