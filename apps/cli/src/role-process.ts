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

/** One of the roles in this terminal or container: its log goes to stdout, a signal makes it finish what is under way and end. */
export async function roleProcess(
  environment: Environment,
  role: 'server' | 'worker',
  { port, concurrency }: RoleFlags,
): Promise<void> {
  const folders = environment.folders;
  const config = loadConfig({ folders, env: environment.variables, flags: { port } });
  requireSharedDatabase(role, config);
  // From here on a reader that goes away is the logger's business, and no reason to end.
  environment.stdout.removeAllListeners('error');
  const logger = createLogger({
    level: config.logLevel,
    foreground: environment.stdout as NodeJS.WriteStream,
  });
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, `the ${role} ends because of an error nobody caught`);
    process.exit(70);
  });
  await runRole({ role, config, folders, version, logger, assets, concurrency });
}

/** The embedded database is for one process. */
function requireSharedDatabase(role: string, { databaseUrl }: Config): void {
  if (databaseUrl !== undefined) return;
  throw new ExecutorError(
    'usage',
    `\`executor ${role}\` works on a Postgres database that servers and workers share: set EXECUTOR_DATABASE_URL. Without one, \`executor up\` is server and worker in one.`,
  );
}
