import { type Config, loadConfig } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import { createLogger, runRole } from '@executor/server';
import { assets } from './assets.ts';
import type { Environment } from './environment.ts';
import { version } from './version.ts';

interface RoleFlags {
  port?: string | undefined;
  concurrency?: number | undefined;
}

/** Runs one role in this terminal or container. It logs to stdout. A signal makes it finish its work in flight and end. */
export async function roleProcess(
  environment: Environment,
  role: 'server' | 'worker',
  { port, concurrency }: RoleFlags,
): Promise<void> {
  const folders = environment.folders;
  const config = loadConfig({ folders, env: environment.variables, flags: { port } });
  requireSharedDatabase(role, config);
  // From here on the logger handles a reader that disconnects.
  environment.stdout.removeAllListeners('error');
  const logger = createLogger({
    level: config.logLevel,
    foreground: environment.stdout as NodeJS.WriteStream,
  });
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, `the ${role} ends because of an uncaught error`);
    process.exit(70);
  });
  await runRole({ role, config, folders, version, logger, assets, concurrency });
}

/** The embedded database serves one process only. */
function requireSharedDatabase(role: string, { databaseUrl }: Config): void {
  if (databaseUrl !== undefined) return;
  throw new ExecutorError(
    'usage',
    `\`executor ${role}\` needs a Postgres database that servers and workers share. Set EXECUTOR_DATABASE_URL. Without Postgres, \`executor up\` runs server and worker in one process.`,
  );
}
