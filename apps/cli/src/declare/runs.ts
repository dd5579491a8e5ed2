import { type Command, Option } from 'commander';
import type { Environment } from '../environment.ts';
import { examples, json } from './help.ts';

const timeout = () =>
  new Option('--timeout <S>', 'how many seconds to wait; the run continues after that (exit code 5)');
const artifact = 'art_06gy394px4z61fkzfjkqbajp50';
const noOpen = () => new Option('--no-open', 'never offer to open the browser');

export function addRunCommands(environment: Environment, program: Command): void {
  addCall(environment, program);
  addResume(environment, program);
  addExecutions(environment, program);
  addArtifacts(environment, program);
}

const exitCodes = `
At a terminal you answer questions of the run in place. If input or output is piped, the command asks nothing:
a run that needs an approval or another answer ends the command with exit code 3, and standard error has the
pages to answer at and the command that resumes it. Exit code 5: the run has not finished, and needs no answer.
Ctrl-C stops watching, and the run continues. A second Ctrl-C cancels it.`;

function addCall(environment: Environment, program: Command): void {
  program
    .command('call')
    .argument('[CODE]', 'TypeScript to run; - reads it from standard input')
    .description('run code and print its result as JSON; logs are printed on standard error')
    .option('--file <F>', 'read the code from a file')
    .option('--stdin', 'read the code from standard input')
    .addOption(new Option('--json', 'print the whole execution as JSON'))
    .addOption(noOpen())
    .addOption(timeout())
    .option('--runtime <ID>', 'the runtime (default quickjs)')
    .option('--no-typecheck', 'run the code even if its types are wrong')
    .option('--idempotency-key <K>', 'a second call with this key returns the run of the first')
    .option('--client <ID>', 'the agent application that the run is attributed to')
    .option('--detach', 'print the id of the run and do not wait for it')
    .addHelpText('after', exitCodes)
    .addHelpText(
      'after',
      examples(
        "executor call 'return 1 + 1'",
        'executor call --file report.ts --timeout 60',
        "echo 'return await tools.executor.policies.list({})' | executor call --json",
        "executor call --detach 'await sleep(3600_000); return 1'",
      ),
    )
    .action(async (code, options) =>
      (await import('../commands/run/call.ts')).call(environment, code, options),
    );
}

function addResume(environment: Environment, program: Command): void {
  program
    .command('resume')
    .argument('[ID]', 'the run')
    .description('wait for a run, answer its questions, and print its result')
    .option('--execution-id <ID>', 'the run')
    .option('--last', 'the newest waiting run')
    .addOption(new Option('--json', 'print the whole execution as JSON'))
    .addOption(noOpen())
    .addOption(timeout())
    .addHelpText('after', exitCodes)
    .addHelpText(
      'after',
      examples(
        'executor resume --execution-id exe_06gy394px4z61fkzfjkqbajp50',
        'executor resume --last',
        'executor resume --last --timeout 10 --json',
      ),
    )
    .action(async (id, options) =>
      (await import('../commands/run/resume.ts')).resume(environment, id, options),
    );
}

function addExecutions(environment: Environment, program: Command): void {
  const executions = program
    .command('executions')
    .description('list, show, cancel and replay runs')
    .addHelpText(
      'after',
      examples(
        'executor executions',
        'executor executions ls --status waiting',
        'executor executions show exe_06gy394px4z61fkzfjkqbajp50',
      ),
    );
  const run = () => import('../commands/run/executions.ts');
  executions
    .command('ls', { isDefault: true })
    .description('list runs, newest first')
    .addOption(
      new Option('--status <STATUS>', 'only runs with this status').choices([
        'queued',
        'running',
        'waiting',
        'completed',
        'failed',
        'cancelled',
      ]),
    )
    .option('--client <ID>', 'only runs of this agent application')
    .option('--limit <N>', 'the number of runs, at most 200', '20')
    .option('--cursor <CURSOR>', 'continue after the previous page')
    .addOption(json())
    .addHelpText(
      'after',
      examples('executor executions ls --status waiting', 'executor executions ls --limit 200 --json'),
    )
    .action(async (options) => (await run()).listExecutions(environment, options));
  executions
    .command('show <ID>')
    .description('show a run: code, calls, logs, pending questions, and its result or error')
    .addOption(json())
    .addHelpText('after', examples('executor executions show exe_06gy394px4z61fkzfjkqbajp50'))
    .action(async (id, options) =>
      (await import('../commands/run/show-execution.ts')).showExecution(environment, id, options),
    );
  executions
    .command('events <ID>')
    .description('show the journal of a run')
    .option('-f, --follow', 'print new events until the run has finished')
    .option('--after <EVENT>', 'only events after the one with this id')
    .option('--json', 'print JSON, one event per line')
    .addHelpText(
      'after',
      examples(
        'executor executions events exe_06gy394px4z61fkzfjkqbajp50',
        'executor executions events exe_06gy394px4z61fkzfjkqbajp50 --follow --json',
      ),
    )
    .action(async (id, options) => (await run()).printEvents(environment, id, options));
  executions
    .command('cancel <ID>')
    .description('cancel a run that has not finished')
    .addOption(json())
    .addHelpText('after', examples('executor executions cancel exe_06gy394px4z61fkzfjkqbajp50'))
    .action(async (id, options) => (await run()).cancelExecution(environment, id, options));
  executions
    .command('replay <ID>')
    .description('run a finished run again from its journal without sending calls, and compare')
    .addOption(json())
    .addHelpText('after', examples('executor executions replay exe_06gy394px4z61fkzfjkqbajp50'))
    .action(async (id, options) => (await run()).replayExecution(environment, id, options));
}

function addArtifacts(environment: Environment, program: Command): void {
  const artifacts = program
    .command('artifacts')
    .description('read large or binary results of runs')
    .addHelpText('after', examples(`executor artifacts get ${artifact} -o report.pdf`));
  artifacts
    .command('get <ID>')
    .description('write the bytes of an artifact to standard output, or to a file')
    .option('-o, --output <FILE>', 'the file to write; an existing file is not overwritten')
    .addHelpText(
      'after',
      examples(`executor artifacts get ${artifact}`, `executor artifacts get ${artifact} -o report.pdf`),
    )
    .action(async (id, options) =>
      (await import('../commands/run/artifacts.ts')).getArtifact(environment, id, options),
    );
}
