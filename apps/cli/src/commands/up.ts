import { ensurePrivateFolder, loadConfig, resolveFolders } from '@executor/home';
import { createLogger, runDaemon } from '@executor/server';
import pc from 'picocolors';
import { assets } from '../assets.ts';
import { ensureDaemon } from '../daemon/ensure-daemon.ts';
import { printJson, self } from '../output.ts';
import { version } from '../version.ts';

interface UpOptions {
  foreground?: boolean;
  port?: string;
  json?: boolean;
}

export async function up(options: UpOptions): Promise<void> {
  if (options.foreground) return upInForeground(options);
  const folders = resolveFolders(process.env);
  const { record, started } = await ensureDaemon(folders, { port: options.port });
  const { url, pid } = record;
  if (options.json) return printJson({ running: true, started, pid, url, version: record.version });
  console.log(
    started ? `Executor is running at ${pc.bold(url)}` : `Executor was already running at ${pc.bold(url)}`,
  );
  if (record.role === 'server')
    return console.log(`Process ${pid} serves it, and was started with \`${self} server\`.`);
  if (record.version !== version) {
    console.log(
      `It is version ${record.version}, and this is ${version}: \`${self} restart\` brings them together.`,
    );
  }
  const wanted = loadConfig({ folders, env: process.env, flags: { port: options.port } }).port;
  if (options.port !== undefined && !started && new URL(url).port !== String(wanted)) {
    console.log(`To move it to port ${wanted}: \`${self} restart --port ${wanted}\`.`);
  }
  if (started)
    console.log(`Next: \`${self} web\` opens the UI, \`${self} keys create NAME\` makes a key for an agent.`);
}

async function upInForeground({ port }: UpOptions): Promise<void> {
  const folders = resolveFolders(process.env);
  const config = loadConfig({ folders, env: process.env, flags: { port } });
  ensurePrivateFolder(folders.logs);
  // From here on a reader that goes away is the logger's business, and no reason to end.
  process.stdout.removeAllListeners('error');
  const logger = createLogger({ folders, level: config.logLevel, foreground: process.stdout });
  await runDaemon({
    config,
    folders,
    version,
    logger,
    assets,
    onReady: ({ url }) => process.stderr.write(welcome(url, folders.home)),
  });
}

function welcome(url: string, home: string): string {
  return `
  ${pc.bold('Executor')} ${version} is running at ${pc.bold(pc.cyan(url))}
  Its data is in ${home}. Ctrl-C stops it.

  Now, in another terminal:
    ${self} web                    open the UI, signed in
    ${self} keys create my-agent   make a key for an agent
    ${self} --help                 see everything else

`;
}
