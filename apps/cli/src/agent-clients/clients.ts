import {
  type AgentClient,
  applicationData,
  type Endpoint,
  type Entry,
  join,
  type Launch,
  type Machine,
  xdgConfig,
} from './agent-client.ts';

/** An empty `env` is omitted, because some clients show it. */
const plain = ({ command, args, env }: Launch): Entry => ({
  command,
  args,
  ...(Object.keys(env).length > 0 && { env }),
});
const typed = (launch: Launch): Entry => ({ type: 'stdio', ...plain(launch) });
const inHome =
  (...parts: string[]) =>
  (machine: Machine) => [join(machine, machine.home, ...parts)];

/** The folder of a client that can be moved with an environment variable. */
const folderOf = (variable: string, name: string) => (machine: Machine) =>
  machine.env[variable] || join(machine, machine.home, name);

const codexFolder = folderOf('CODEX_HOME', '.codex');
const claudeDesktopFolder = (machine: Machine) => join(machine, applicationData(machine), 'Claude');
const openCodeFolder = (machine: Machine) =>
  machine.env.OPENCODE_CONFIG_DIR || join(machine, xdgConfig(machine), 'opencode');

const claudeCode: AgentClient = {
  id: 'claude-code',
  name: 'Claude Code',
  programs: ['claude'],
  traces: (machine) => [...claudeCode.files(machine), join(machine, machine.home, '.claude')],
  files: (machine) => [join(machine, machine.env.CLAUDE_CONFIG_DIR || machine.home, '.claude.json')],
  projectFiles: ['.mcp.json'],
  format: 'json',
  container: 'mcpServers',
  stdio: typed,
  http: ({ url, headers }) => ({ type: 'http', url, headers }),
};

const claudeDesktop: AgentClient = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  programs: ['claude-desktop'],
  traces: (machine) => [claudeDesktopFolder(machine)],
  files: (machine) => [join(machine, claudeDesktopFolder(machine), 'claude_desktop_config.json')],
  format: 'json',
  container: 'mcpServers',
  stdio: plain,
};

const cursor: AgentClient = {
  id: 'cursor',
  name: 'Cursor',
  programs: ['cursor', 'cursor-agent'],
  traces: inHome('.cursor'),
  files: inHome('.cursor', 'mcp.json'),
  projectFiles: ['.cursor/mcp.json'],
  format: 'json',
  container: 'mcpServers',
  stdio: typed,
  http: ({ url, headers }) => ({ url, headers }),
};

const vscode: AgentClient = {
  id: 'vscode',
  name: 'VS Code',
  programs: ['code'],
  traces: (machine) => [join(machine, applicationData(machine), 'Code')],
  files: (machine) => [join(machine, applicationData(machine), 'Code', 'User', 'mcp.json')],
  projectFiles: ['.vscode/mcp.json'],
  format: 'json',
  container: 'servers',
  stdio: typed,
  http: ({ url, headers }) => ({ type: 'http', url, headers }),
};

const codex: AgentClient = {
  id: 'codex',
  name: 'Codex',
  programs: ['codex'],
  traces: (machine) => [codexFolder(machine)],
  files: (machine) => [join(machine, codexFolder(machine), 'config.toml')],
  projectFiles: ['.codex/config.toml'],
  format: 'toml',
  container: 'mcp_servers',
  stdio: plain,
  http: ({ url, headers }) => ({ url, http_headers: headers }),
};

const openCode: AgentClient = {
  id: 'opencode',
  name: 'OpenCode',
  programs: ['opencode'],
  traces: (machine) => [openCodeFolder(machine)],
  files: (machine) => [
    ...(machine.env.OPENCODE_CONFIG ? [machine.env.OPENCODE_CONFIG] : []),
    join(machine, openCodeFolder(machine), 'opencode.json'),
    join(machine, openCodeFolder(machine), 'opencode.jsonc'),
  ],
  projectFiles: ['opencode.json', 'opencode.jsonc'],
  format: 'json',
  container: 'mcp',
  stdio: ({ command, args, env }) => ({
    type: 'local',
    command: [command, ...args],
    ...(Object.keys(env).length > 0 && { environment: env }),
    enabled: true,
  }),
  // Without `oauth: false`, OpenCode would try to sign in before it sends the key.
  http: ({ url, headers }) => ({ type: 'remote', url, headers, enabled: true, oauth: false }),
};

const gemini: AgentClient = {
  id: 'gemini',
  name: 'Gemini CLI',
  programs: ['gemini'],
  traces: inHome('.gemini'),
  files: inHome('.gemini', 'settings.json'),
  projectFiles: ['.gemini/settings.json'],
  format: 'json',
  container: 'mcpServers',
  stdio: plain,
  http: ({ url, headers }) => ({ httpUrl: url, headers }),
};

const zedFolder = (machine: Machine) => {
  if (machine.platform === 'win32') return join(machine, applicationData(machine), 'Zed');
  if (machine.platform === 'darwin') return join(machine, machine.home, '.config', 'zed');
  return join(machine, xdgConfig(machine), 'zed');
};

const zed: AgentClient = {
  id: 'zed',
  name: 'Zed',
  programs: ['zed', 'zeditor'],
  traces: (machine) => [zedFolder(machine)],
  files: (machine) => [join(machine, zedFolder(machine), 'settings.json')],
  projectFiles: ['.zed/settings.json'],
  format: 'json',
  container: 'context_servers',
  stdio: plain,
  http: ({ url, headers }: Endpoint) => ({ url, headers }),
};

const windsurf: AgentClient = {
  id: 'windsurf',
  name: 'Windsurf',
  programs: ['windsurf'],
  traces: inHome('.codeium', 'windsurf'),
  files: inHome('.codeium', 'windsurf', 'mcp_config.json'),
  format: 'json',
  container: 'mcpServers',
  stdio: plain,
  http: ({ url, headers }) => ({ serverUrl: url, headers }),
};

/** The agent programs that `executor connect` supports, in the order of its list. */
export const agentClients: readonly AgentClient[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vscode,
  codex,
  openCode,
  gemini,
  zed,
  windsurf,
];
