import { type Command, Option } from 'commander';
import type { Environment } from '../environment.ts';
import { examples, json } from './help.ts';

const id = 'int_06gy394px4z61fkzfjkqbajp50';

export function addApprovalCommands(environment: Environment, program: Command): void {
  const approvals = program
    .command('approvals')
    .description('see what runs ask of people, and answer')
    .addHelpText('after', pinHelp)
    .addHelpText(
      'after',
      examples(
        'executor approvals',
        `executor approvals approve ${id}`,
        `executor approvals deny ${id} --reason 'not on a Friday'`,
      ),
    );
  addLooking(environment, approvals);
  addApproving(environment, approvals);
  addOtherAnswers(environment, approvals);
}

const pinHelp = `
Where presence is on, answering takes the PIN: it is asked for at a terminal, or taken from EXECUTOR_PIN.`;

function addLooking(environment: Environment, approvals: Command): void {
  const look = () => import('../commands/approvals.ts');
  approvals
    .command('ls', { isDefault: true })
    .description('list what waits for a person, what waits longest first')
    .addOption(
      new Option('--status <STATUS>', 'those that are')
        .choices(['pending', 'resolved', 'expired', 'withdrawn'])
        .default('pending'),
    )
    .option('--execution <ID>', 'only those of a run')
    .addOption(json())
    .addHelpText('after', examples('executor approvals ls', 'executor approvals ls --status resolved --json'))
    .action(async (options) => (await look()).listInteractions(environment, options));
  approvals
    .command('show <ID>')
    .description('show a question, with exactly what will be sent')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals show ${id}`))
    .action(async (interaction, options) =>
      (await look()).showInteraction(environment, interaction, options),
    );
}

const answer = () => import('../commands/answer-interactions.ts');

function addApproving(environment: Environment, approvals: Command): void {
  approvals
    .command('approve [ID...]')
    .description('let calls be made')
    .option('--all-identical', 'also the same call with the same input in that run, now and later')
    .option('--remember', 'also add the narrowest rule that covers the call; it is shown first')
    .option('--all', 'all that wait for approval')
    .option('--yes', 'do not ask whether all of them, or whether the rule, is meant')
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
    .description('refuse calls; the code can catch that as a ToolDeniedError')
    .option('--reason <R>', 'why; reaches the code')
    .option('--all', 'all that wait for approval')
    .option('--yes', 'do not ask whether all of them are meant')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals deny ${id} --reason 'use the test account'`))
    .action(async (ids, options) => (await answer()).deny(environment, ids, options));
}

function addOtherAnswers(environment: Environment, approvals: Command): void {
  approvals
    .command('answer <ID>')
    .description('answer a form or a request for credentials')
    .requiredOption('--data <JSON>', 'the answer; - reads it from standard input')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals answer ${id} --data '{"name":"Ada"}'`))
    .action(async (interaction, options) => (await answer()).submit(environment, interaction, options));
  approvals
    .command('decline <ID>')
    .description('leave a form or a request for credentials unanswered; the call fails')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals decline ${id}`))
    .action(async (interaction, options) => (await answer()).decline(environment, interaction, options));
  approvals
    .command('retry <ID>')
    .description('of a call that may or may not have happened: send it again')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals retry ${id}`))
    .action(async (interaction, options) => (await answer()).retry(environment, interaction, options));
  approvals
    .command('complete <ID>')
    .description('of a call that may or may not have happened: it did, and this came of it')
    .requiredOption('--result <JSON>', 'what the call answered')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals complete ${id} --result '{"id":42}'`))
    .action(async (interaction, options) => (await answer()).complete(environment, interaction, options));
  approvals
    .command('fail <ID>')
    .description('of a call that may or may not have happened: let it fail')
    .option('--reason <R>', 'why; reaches the code')
    .addOption(json())
    .addHelpText('after', examples(`executor approvals fail ${id} --reason 'it did not arrive'`))
    .action(async (interaction, options) => (await answer()).fail(environment, interaction, options));
}
