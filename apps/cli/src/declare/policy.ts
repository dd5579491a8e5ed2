import type { Command } from 'commander';
import { collect, examples, json } from './help.ts';

export function addPolicyCommands(program: Command): void {
  addPolicy(program);
  addPresence(program);
}

const decisionHelp = `
Without rules, what reads is allowed and everything else is asked about. Within one scope the most
specific rule wins, across scopes the strictest. Where presence is on, changing rules takes the PIN (or
EXECUTOR_PIN).`;

function addPolicy(program: Command): void {
  const policy = program
    .command('policy')
    .description('decide which calls are allowed, asked about or denied')
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
    .action(async (options) => (await run()).listPolicies(options));
  policy
    .command('add')
    .argument('<PATTERN>', 'the tools it is for: * is one segment, ** the rest')
    .argument('<DECISION>', 'allow, ask (also requireApproval) or deny')
    .description('add a rule; it holds for the next call')
    .option(
      '--when <CONDITION>',
      'only where a field of the input is so: field=value, field=one,other, field^=beginning; may be repeated',
      collect,
    )
    .option('--client <ID>', 'only for calls of an agent application')
    .option('--actor <ID>', 'only for calls of a person or service')
    .option('--note <T>', 'why, for whoever reads it later')
    .addOption(json())
    .addHelpText(
      'after',
      examples(
        "executor policy add 'github.issues.*' allow --when repo=executor",
        "executor policy add 'mail.send' allow --when 'to^=team@' --note 'our own list'",
        "executor policy add '**' deny --client untrusted",
      ),
    )
    .action(async (pattern, decision, options) => (await run()).addPolicy(pattern, decision, options));
  policy
    .command('rm <ID>')
    .description('remove a rule')
    .addOption(json())
    .addHelpText('after', examples('executor policy rm pol_06gy394px4z61fkzfjkqbajp50'))
    .action(async (id, options) => (await run()).removePolicy(id, options));
  policy
    .command('explain')
    .argument('<PATH>', 'the tool')
    .argument('[JSON]', 'its input')
    .description('say what the rules make of a call, and which of them decides')
    .option('--client <ID>', 'as if this agent application made it')
    .addOption(json())
    .addHelpText(
      'after',
      examples(
        'executor policy explain executor.artifacts.put',
        `executor policy explain executor.artifacts.put '{"text":"hello"}'`,
      ),
    )
    .action(async (path, input, options) => (await run()).explainPolicy(path, input, options));
}

function addPresence(program: Command): void {
  const presence = program
    .command('presence')
    .description('ask for proof that a person is there before answers and changes are taken')
    .addHelpText('after', examples('executor presence', 'executor presence pin', 'executor presence off'));
  const run = () => import('../commands/presence.ts');
  presence
    .command('status', { isDefault: true })
    .description('show whether proof is asked for')
    .addOption(json())
    .addHelpText('after', examples('executor presence status --json'))
    .action(async (options) => (await run()).showPresence(options));
  presence
    .command('pin')
    .description('ask for a PIN from now on; it is typed here, unseen')
    .addOption(json())
    .addHelpText('after', examples('executor presence pin'))
    .action(async (options) => (await run()).setPin(options));
  presence
    .command('passkey')
    .description('ask for a passkey (not available yet)')
    .addHelpText('after', examples('executor presence passkey'))
    .action(async () => (await run()).refusePasskey());
  presence
    .command('off')
    .description('stop asking; takes the PIN one last time')
    .addOption(json())
    .addHelpText('after', examples('executor presence off'))
    .action(async (options) => (await run()).turnPresenceOff(options));
}
