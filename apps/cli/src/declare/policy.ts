import type { Command } from 'commander';
import type { Environment } from '../environment.ts';
import { collect, examples, json } from './help.ts';

export function addPolicyCommands(environment: Environment, program: Command): void {
  addPolicy(environment, program);
  addPresence(environment, program);
}

const decisionHelp = `
Without rules, Executor allows reads and asks before everything else. Within one scope the most specific
rule wins; across scopes the strictest. If presence is on, changing rules needs the PIN (or EXECUTOR_PIN).`;

const conditionHelp = `
Conditions:
  repo=executor            equals; JSON is read as JSON: draft=true, title="a, b"
  repo=executor,website    one of these
  state!=closed            not equal
  title^=Draft             a text that begins with this
  labels*=bug              a text that contains this, or a list with this item
  amount<=100              a number; also <, > and >=
  amount exists            the input has the field; or: amount missing
Values are never converted. On a missing field or another type, !=, *= and the comparisons fail in an
allow rule and hold in an ask or deny rule.`;

function addPolicy(environment: Environment, program: Command): void {
  const policy = program
    .command('policy')
    .description('decide which calls to allow, ask about or deny')
    .addHelpText('after', decisionHelp)
    .addHelpText(
      'after',
      examples(
        'executor policy',
        "executor policy add 'github.**' ask",
        'executor policy explain executor.artifacts.put',
      ),
    );
  const run = () => import('../commands/policy.ts');
  policy
    .command('ls', { isDefault: true })
    .description('list the rules')
    .addOption(json())
    .addHelpText('after', examples('executor policy ls', 'executor policy ls --json'))
    .action(async (options) => (await run()).listPolicies(environment, options));
  policy
    .command('add')
    .argument('<PATTERN>', 'the tools: * is one segment, ** the rest')
    .argument('<DECISION>', 'allow, ask or deny')
    .description('add a rule; it applies from the next call on')
    .option('--when <CONDITION>', 'only if this condition on the input holds; may be repeated', collect)
    .option('--client <ID>', 'only for calls of this agent application')
    .option('--actor <ID>', 'only for calls of this person or service')
    .option('--note <T>', 'why the rule exists')
    .option('--force', 'save the rule even if no tool or field matches it')
    .addOption(json())
    .addHelpText('after', conditionHelp)
    .addHelpText(
      'after',
      examples(
        "executor policy add 'github.issues.*' allow --when repo=executor",
        "executor policy add 'mail.send' allow --when 'to^=team@' --note 'our own list'",
        "executor policy add 'payments.pay' ask --when 'amount>100'",
        "executor policy add '**' deny --client untrusted",
      ),
    )
    .action(async (pattern, decision, options) =>
      (await run()).addPolicy(environment, pattern, decision, options),
    );
  policy
    .command('edit')
    .argument('<ID>', 'the rule')
    .description('change a rule; it applies from the next call on')
    .option('--pattern <PATTERN>', 'the tools: * is one segment, ** the rest')
    .option('--decision <DECISION>', 'allow, ask or deny')
    .option('--when <CONDITION>', 'replace all conditions; may be repeated', collect)
    .option('--no-when', 'remove all conditions')
    .option('--note <T>', 'why the rule exists')
    .option('--force', 'save the rule even if no tool or field matches it')
    .addOption(json())
    .addHelpText('after', conditionHelp)
    .addHelpText(
      'after',
      examples(
        'executor policy edit pol_06gy394px4z61fkzfjkqbajp50 --decision ask',
        "executor policy edit pol_06gy394px4z61fkzfjkqbajp50 --when 'amount<=100' --when currency=EUR",
      ),
    )
    .action(async (id, options) => (await run()).editPolicy(environment, id, options));
  policy
    .command('rm <ID>')
    .description('remove a rule')
    .addOption(json())
    .addHelpText('after', examples('executor policy rm pol_06gy394px4z61fkzfjkqbajp50'))
    .action(async (id, options) => (await run()).removePolicy(environment, id, options));
  policy
    .command('explain')
    .argument('<PATH>', 'the tool')
    .argument('[JSON]', 'its input')
    .description('show the decision on a call and the rule that makes it')
    .option('--client <ID>', 'as if this agent application made it')
    .addOption(json())
    .addHelpText(
      'after',
      examples(
        'executor policy explain executor.artifacts.put',
        `executor policy explain executor.artifacts.put '{"text":"hello"}'`,
      ),
    )
    .action(async (path, input, options) => (await run()).explainPolicy(environment, path, input, options));
}

function addPresence(environment: Environment, program: Command): void {
  const presence = program
    .command('presence')
    .description('require a PIN before answers and changes')
    .addHelpText('after', examples('executor presence', 'executor presence pin', 'executor presence off'));
  const run = () => import('../commands/approval/presence.ts');
  presence
    .command('status', { isDefault: true })
    .description('show whether a PIN is required')
    .addOption(json())
    .addHelpText('after', examples('executor presence status --json'))
    .action(async (options) => (await run()).showPresence(environment, options));
  presence
    .command('pin')
    .description('require a PIN from now on; it is not shown as you type')
    .addOption(json())
    .addHelpText('after', examples('executor presence pin'))
    .action(async (options) => (await run()).setPin(environment, options));
  presence
    .command('passkey')
    .description('require a passkey (not available yet)')
    .addHelpText('after', examples('executor presence passkey'))
    .action(async () => (await run()).refusePasskey());
  presence
    .command('off')
    .description('stop requiring the PIN; needs the PIN once more')
    .addOption(json())
    .addHelpText('after', examples('executor presence off'))
    .action(async (options) => (await run()).turnPresenceOff(environment, options));
}
