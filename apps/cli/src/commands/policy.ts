import {
  decisionWords,
  ExecutorError,
  type NewPolicy,
  type Policy,
  type PolicyChange,
  type PolicyScope,
  printable,
  type SavedPolicy,
} from '@executor/protocol';
import { parseTypedJson } from '../answer/form.ts';
import { PresenceProof } from '../answer/presence-proof.ts';
import type { Environment } from '../environment.ts';
import { ago, oneLine } from '../output.ts';
import { conditionText, parseCondition } from '../policy/condition.ts';
import { parseDecision } from '../policy/decision.ts';
import { ruleText, scopeText } from '../policy/rule-text.ts';
import { type NameOf, readActorNames } from '../server/actor-names.ts';
import { completeId } from '../server/complete-id.ts';
import { connect } from '../server/connect.ts';
import { allItems } from '../server/items.ts';
import { style } from '../style.ts';

export async function listPolicies(
  environment: Environment,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const items = await allItems((page) => client.policies.list(page));
  if (json) return environment.printJson({ items });
  if (items.length === 0)
    return environment.print(
      `There are no rules: Executor allows reads and asks before everything else. \`executor policy add\` adds a rule.`,
    );
  const nameOf = await readActorNames(client);
  environment.printTable(
    ['ID', 'DECISION', 'TOOLS', 'WHEN', 'FOR', 'ADDED', 'NOTE'],
    items.map((item) => policyRow(item, nameOf)),
  );
}

function policyRow(policy: Policy, nameOf: NameOf, now = Date.now()): string[] {
  return [
    policy.id,
    decisionWords[policy.decision],
    oneLine(policy.pattern, 60),
    oneLine(policy.conditions.map(conditionText).join(' and '), 60),
    oneLine(scopeText(policy.scope, nameOf), 40),
    ago(policy.createdAt, now),
    oneLine(policy.note ?? '', 60),
  ];
}

interface AddOptions {
  when?: string[];
  client?: string;
  actor?: string;
  note?: string;
  force?: boolean;
  json?: boolean;
}

export async function addPolicy(
  environment: Environment,
  pattern: string,
  decision: string,
  options: AddOptions,
): Promise<void> {
  const policy: NewPolicy = {
    pattern,
    decision: parseDecision(decision),
    scope: scopeOf(options),
    conditions: (options.when ?? []).map(parseCondition),
    ...(options.note !== undefined && { note: options.note }),
  };
  const client = await connect(environment);
  const created = await saveRule(environment, options, (strict, presence) =>
    client.policies.create({ ...policy, strict }, { presence }),
  );
  if (options.json) return environment.printJson(created);
  environment.print(`Added ${created.id}: ${ruleText(created)}`);
}

/** Without --force, a rule that has warnings is not saved. With it, they are printed. */
async function saveRule(
  environment: Environment,
  { force = false, json = false }: { force?: boolean; json?: boolean },
  save: (strict: true | undefined, presence: string | undefined) => Promise<SavedPolicy>,
): Promise<SavedPolicy> {
  try {
    const saved = await new PresenceProof(environment).for((presence) =>
      save(force ? undefined : true, presence),
    );
    if (!json)
      for (const warning of saved.warnings ?? [])
        environment.printError(style.yellow(`Warning: ${printable(warning)}`));
    return saved;
  } catch (error) {
    if (!(error instanceof ExecutorError) || !error.details?.warnings) throw error;
    throw new ExecutorError('usage', `${error.message} Add --force to save it anyway.`, { cause: error });
  }
}

function scopeOf({ client, actor }: AddOptions): PolicyScope {
  if (client !== undefined && actor !== undefined)
    throw new ExecutorError(
      'usage',
      'A rule is for one client or for one actor: pass --client or --actor, not both.',
    );
  if (client !== undefined) return { type: 'client', clientId: client };
  return actor === undefined ? { type: 'workspace' } : { type: 'actor', actorId: actor };
}

interface EditOptions {
  pattern?: string;
  decision?: string;
  /** `false` after --no-when. */
  when?: string[] | false;
  note?: string;
  force?: boolean;
  json?: boolean;
}

export async function editPolicy(
  environment: Environment,
  typedId: string,
  options: EditOptions,
): Promise<void> {
  const change = changeOf(options);
  if (Object.keys(change).length === 0)
    throw new ExecutorError(
      'usage',
      'Nothing to change: pass --pattern, --decision, --when, --no-when or --note.',
    );
  const client = await connect(environment);
  const id = await completeId(client, 'policy', typedId);
  const updated = await saveRule(environment, options, (strict, presence) =>
    client.policies.update({ id, ...change, strict }, { presence }),
  );
  if (options.json) return environment.printJson(updated);
  environment.print(`Changed ${updated.id}: ${ruleText(updated)}`);
}

function changeOf({ pattern, decision, when, note }: EditOptions): PolicyChange {
  return {
    ...(pattern !== undefined && { pattern }),
    ...(decision !== undefined && { decision: parseDecision(decision) }),
    ...(when !== undefined && { conditions: when === false ? [] : when.map(parseCondition) }),
    ...(note !== undefined && { note }),
  };
}

export async function removePolicy(
  environment: Environment,
  typedId: string,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const id = await completeId(client, 'policy', typedId);
  await new PresenceProof(environment).for((presence) => client.policies.remove({ id }, { presence }));
  if (json) return environment.printJson({ id, removed: true });
  environment.print(`Removed ${id}.`);
}

export async function explainPolicy(
  environment: Environment,
  path: string,
  input: string | undefined,
  { client: clientId, json = false }: { client?: string; json?: boolean },
): Promise<void> {
  const parsed = input === undefined ? undefined : parseTypedJson(input, 'The input');
  const client = await connect(environment);
  const explanation = await client.policies.explain({
    path,
    ...(parsed !== undefined && { input: parsed }),
    ...(clientId !== undefined && { clientId }),
  });
  if (json) return environment.printJson(explanation);
  const { decision, reason, policy, considered, tool, note } = explanation;
  environment.print(
    `${style.bold(decisionWords[decision])} ${printable(path)}${tool ? ` (${tool.effect})` : ''}`,
  );
  environment.print(printable(reason));
  if (note !== undefined) environment.print(style.yellow(printable(note)));
  if (policy) environment.print(`\nRule: ${policy.id}  ${ruleText(policy)}`);
  if (considered.length === 0) return;
  environment.print('\nRules for this tool, strongest first:');
  for (const { policy: rule, matched, why } of considered)
    environment.print(
      `  ${matched ? style.green('✓') : style.dim('·')} ${rule.id}  ${ruleText(rule)}\n      ${printable(why)}`,
    );
}
