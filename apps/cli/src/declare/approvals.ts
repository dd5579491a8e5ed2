import { type Command, Option } from 'commander';
import type { Environment } from '../environment.ts';
import { examples, json } from './help.ts';

const id = 'int_06gy394px4z61fkzfjkqbajp50';

export function addApprovalCommands(environment: Environment, program: Command): void {
  const approvals = program
    .command('approvals')
    .description('show and answer the questions of runs')
    .addHelpText('after', pinHelp)
    .addHelpText(
      'after',
      examples(
        'executor approvals',
        `executor approvals approve ${id}`,
        `executor approvals deny ${id} --reason 'not on a Friday'`,
      ),
    );
  addShowing(environment, approvals);
  addApproving(environment, approvals);
  addOtherAnswers(environment, approvals);
}

const pinHelp = `
If presence is on, answering needs the PIN. The command asks for it at a terminal, or reads EXECUTOR_PIN.`;

function addShowing(environment: Environment, approvals: Command): void {
  const showing = () => import('../commands/approval/approvals.ts');
  approvals
    .command('ls', { isDefault: true })
    .description('list pending approvals and other questions by key and run, oldest first')
    .addOption(
      new Option('--status <STATUS>', 'only questions with this status')
        .choices(['pending', 'resolved', 'expired', 'withdrawn'])
        .default('pending'),
    )
    .option('--execution <ID>', 'only questions of this run')
    .addOption(json())
    .addHelpText('after', examples('executor approvals ls', 'executor approvals ls --status resolved --json'))
    .action(async (options) => (await showing()).listInteractions(environment, options));
  approvals
    .command('show <ID>')
    .description('show a question and exactly what will be sent')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals show ${id}`))
    .action(async (interaction, options) =>
      (await showing()).showInteraction(environment, interaction, options),
    );
}

const answer = () => import('../commands/approval/answer-interactions.ts');

function addApproving(environment: Environment, approvals: Command): void {
  approvals
    .command('approve [ID...]')
    .description('approve calls')
    .option('--all-identical', 'also approve the same call with the same input in that run, pending or later')
    .option('--remember', 'also add the narrowest rule that covers the call, after showing it')
    .option('--all', 'all pending approvals')
    .option('--yes', 'do not ask for confirmation')
    .addOption(json())
    .addHelpText(
      'after',
      examples(
        `executor approvals approve ${id}`,
        `executor approvals approve ${id} --remember`,
        'executor approvals approve --all --yes',
      ),
    )
    .action(async (ids, options) => (await answer()).approve(environment, ids, options));
  approvals
    .command('deny [ID...]')
    .description('deny calls; the code can catch this as a ToolDeniedError')
    .option('--reason <R>', 'the reason; the code receives it')
    .option('--all', 'all pending approvals')
    .option('--yes', 'do not ask for confirmation')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals deny ${id} --reason 'use the test account'`))
    .action(async (ids, options) => (await answer()).deny(environment, ids, options));
}

function addOtherAnswers(environment: Environment, approvals: Command): void {
  approvals
    .command('answer <ID>')
    .description('answer a form or a request for credentials')
    .requiredOption('--data <JSON>', 'the answer as JSON; - reads it from standard input')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals answer ${id} --data '{"name":"Ada"}'`))
    .action(async (interaction, options) => (await answer()).submit(environment, interaction, options));
  approvals
    .command('decline <ID>')
    .description('decline a form or a request for credentials; the call fails')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals decline ${id}`))
    .action(async (interaction, options) => (await answer()).decline(environment, interaction, options));
  approvals
    .command('retry <ID>')
    .description('send a call again that may or may not have happened')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals retry ${id}`))
    .action(async (interaction, options) => (await answer()).retry(environment, interaction, options));
  approvals
    .command('complete <ID>')
    .description('complete a call that may or may not have happened with its result')
    .requiredOption('--result <JSON>', 'the result of the call')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals complete ${id} --result '{"id":42}'`))
    .action(async (interaction, options) => (await answer()).complete(environment, interaction, options));
  approvals
    .command('fail <ID>')
    .description('fail a call that may or may not have happened')
    .option('--reason <R>', 'the reason; the code receives it')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals fail ${id} --reason 'it did not arrive'`))
    .action(async (interaction, options) => (await answer()).fail(environment, interaction, options));
}
