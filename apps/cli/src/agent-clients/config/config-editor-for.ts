import type { AgentClient } from '../agent-client.ts';
import type { ConfigEditor } from './config-editor.ts';
import { jsonConfig } from './json-config.ts';
import { tomlConfig } from './toml-config.ts';

export function configEditorFor({ format, container }: AgentClient, path: string): ConfigEditor {
  return format === 'toml' ? tomlConfig(container, path) : jsonConfig(container, path);
}
