import { ensurePrivateFolder, loadConfig } from '@executor/home';
import { createLogger, runDaemon } from '@executor/server';
import { assets } from '../../assets.ts';
import { ensureDaemon } from '../../daemon/ensure-daemon.ts';
import type { Environment } from '../../environment.ts';
import { style } from '../../style.ts';
import { version } from '../../version.ts';

interface UpOptions {
  foreground?: boolean;
  port?: string;
  json?: boolean;
}

export async function up(environment: Environment, options: UpOptions): Promise<void> {
  if (options.foreground) return upInForeground(environment, options);
  const folders = environment.folders;
  const { record, started } = await ensureDaemon(environment, { port: options.port });
  const { url, pid } = record;
  if (options.json)
    return environment.printJson({ running: true, started, pid, url, version: record.version });
  environment.print(
    started
      ? `Executor is running at ${style.bold(url)}`
      : `Executor was already running at ${style.bold(url)}`,
  );
  if (record.role === 'server')
    return environment.print(`Process ${pid} serves it, and was started with \`executor server\`.`);
  if (record.version !== version) {
    environment.print(
      `It is version ${record.version}, and this is ${version}: \`executor restart\` updates it.`,
    );
  }
  const wanted = loadConfig({ folders, env: environment.variables, flags: { port: options.port } }).port;
  if (options.port !== undefined && !started && new URL(url).port !== String(wanted)) {
    environment.print(`To move it to port ${wanted}: \`executor restart --port ${wanted}\`.`);
  }
  if (started)
    environment.print(
      `Next: \`executor web\` opens the UI, \`executor keys create NAME\` creates a key for an agent.`,
    );
}

async function upInForeground(environment: Environment, { port }: UpOptions): Promise<void> {
  const folders = environment.folders;
  const config = loadConfig({ folders, env: environment.variables, flags: { port } });
  ensurePrivateFolder(folders.logs);
  // From here on the logger handles a reader that disconnects.
  environment.stdout.removeAllListeners('error');
  const logger = createLogger({
    folders,
    level: config.logLevel,
    foreground: environment.stdout as NodeJS.WriteStream,
  });
  await runDaemon({
    config,
    folders,
    version,
    logger,
    assets,
    onReady: ({ url }) => environment.writeError(welcome(environment, url)),
  });
}

function welcome({ folders, variables }: Environment, url: string): string {
  // `npm start` runs in a clone, which has no `executor` in its PATH.
  const self = variables.npm_lifecycle_event === 'start' ? 'npx executor' : 'executor';
  return `
  ${style.bold('Executor')} ${version} is running at ${style.bold(style.cyan(url))}
  Its data is in ${folders.home}. Ctrl-C stops it.

  Now, in another terminal:
    ${self} web                    open the UI, signed in
    ${self} keys create my-agent   make a key for an agent
    ${self} --help                 see everything else

`;
}
