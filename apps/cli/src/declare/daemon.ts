import type { Command } from 'commander';
import type { Environment } from '../environment.ts';
import { examples, json } from './help.ts';

export function addDaemonCommands(environment: Environment, program: Command): void {
  addStarting(environment, program);
  addRoles(environment, program);
  addInspecting(environment, program);
  addSessionCommands(environment, program);
}

function addStarting(environment: Environment, program: Command): void {
  program
    .command('up')
    .description('start the daemon if it does not run')
    .option('--foreground', 'run in this terminal until Ctrl-C and show the log')
    .option('--port <N>', 'the port to listen on (default 8788)')
    .addOption(json())
    .addHelpText('after', examples('executor up', 'executor up --port 9000', 'executor up --foreground'))
    .action(async (options) => (await import('../commands/daemon/up.ts')).up(environment, options));
  program
    .command('down')
    .description('stop the daemon after the requests and calls in flight')
    .option('--force', 'stop it after 5 s, even if calls are in flight')
    .addOption(json())
    .addHelpText('after', examples('executor down', 'executor down --force'))
    .action(async (options) => (await import('../commands/daemon/down.ts')).down(environment, options));
  program
    .command('restart')
    .description('stop the daemon and start it again')
    .option('--port <N>', 'the port to listen on')
    .option('--force', 'stop it after 5 s, even if calls are in flight')
    .addOption(json())
    .addHelpText('after', examples('executor restart', 'executor restart --force'))
    .action(async (options) => (await import('../commands/daemon/restart.ts')).restart(environment, options));
  // `up` starts this command, which is the daemon itself and reports to `up` over IPC.
  program
    .command('daemon', { hidden: true })
    .option('--port <N>')
    .action(async (options) =>
      (await import('../daemon/daemon-process.ts')).daemonProcess(environment, options),
    );
}

function addRoles(environment: Environment, program: Command): void {
  program
    .command('server')
    .description('serve the API and the UI only; `executor worker` runs the code (needs Postgres)')
    .option('--port <N>', 'the port to listen on (default 8788)')
    .addHelpText('after', examples('executor server', 'executor server --port 9000'))
    .action(async (options) => (await import('../commands/daemon/server.ts')).server(environment, options));
  program
    .command('worker')
    .description('run code for the servers of the same database (needs Postgres)')
    .option('--concurrency <N>', 'the maximum number of concurrent runs')
    .addHelpText('after', examples('executor worker', 'executor worker --concurrency 20'))
    .action(async (options) => (await import('../commands/daemon/worker.ts')).worker(environment, options));
}

function addInspecting(environment: Environment, program: Command): void {
  program
    .command('status')
    .description('show whether the daemon runs and its address (exit code 4 if it does not)')
    .addOption(json())
    .addHelpText('after', examples('executor status', 'executor status --json'))
    .action(async (options) => (await import('../commands/daemon/status.ts')).status(environment, options));
  program
    .command('doctor')
    .description('check this machine and installation, and say how to fix problems')
    .addOption(json())
    .addHelpText('after', examples('executor doctor', 'executor doctor --json'))
    .action(async (options) => (await import('../commands/daemon/doctor.ts')).doctor(environment, options));
  program
    .command('logs')
    .description("show the daemon's log")
    .option('-f, --follow', 'print new lines as they are written')
    .option('-n, --lines <N>', 'the number of lines to show', '100')
    .addOption(json())
    .addHelpText('after', examples('executor logs', 'executor logs -f', 'executor logs -n 1000 --json'))
    .action(async (options) => (await import('../commands/daemon/logs.ts')).logs(environment, options));
  program
    .command('web')
    .description('open the web UI in the browser, signed in with a one-time link')
    .option('--print', 'print the link instead of opening it')
    .addOption(json())
    .addHelpText('after', examples('executor web', 'executor web --print'))
    .action(async (options) => (await import('../commands/daemon/web.ts')).web(environment, options));
}

function addSessionCommands(environment: Environment, program: Command): void {
  const sessions = program
    .command('sessions')
    .description('list and end the sessions of browsers')
    .addHelpText('after', examples('executor sessions ls', 'executor sessions rm --all'));
  const run = () => import('../commands/daemon/sessions.ts');
  sessions
    .command('ls', { isDefault: true })
    .description('list the browsers that are signed in')
    .addOption(json())
    .addHelpText('after', examples('executor sessions ls', 'executor sessions ls --json'))
    .action(async (options) => (await run()).listSessions(environment, options));
  sessions
    .command('rm [ID]')
    .description('sign a browser out; this takes effect at once')
    .option('--all', 'sign out everywhere, and invalidate unused sign-in links')
    .addOption(json())
    .addHelpText(
      'after',
      examples('executor sessions rm ses_06gy394px4z61fkzfjkqbajp50', 'executor sessions rm --all'),
    )
    .action(async (id, options) => (await run()).removeSession(environment, id, options));
}
