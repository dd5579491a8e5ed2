import type { Client } from '@executor/client';
import {
  decisionWords,
  ExecutorError,
  type NewPolicy,
  type Policy,
  type PolicyChange,
  type PolicyScope,
  printable,
} from '@executor/protocol';
import pc from 'picocolors';
import { parseTypedJson } from '../answer/form.ts';
import { PresenceProof } from '../answer/presence-proof.ts';
import { connect } from '../connect.ts';
import { ago, oneLine, printJson, printTable, self } from '../output.ts';
import { conditionText, parseCondition } from '../policy/condition.ts';
import { parseDecision } from '../policy/decision.ts';
import { ruleText, scopeText } from '../policy/rule-text.ts';

export async function listPolicies({ json = false }: { json?: boolean }): Promise<void> {
  const client = await connect();
  const items = await allPolicies(client);
  if (json) return printJson({ items });
  if (items.length === 0)
    return console.log(
      `There are no rules: Executor allows reads and asks before everything else. \`${self} policy add\` adds a rule.`,
    );
  printTable(
    ['ID', 'DECISION', 'TOOLS', 'WHEN', 'FOR', 'ADDED', 'NOTE'],
    items.map((item) => policyRow(item)),
  );
}

async function allPolicies(client: Client): Promise<Policy[]> {
  const items: Policy[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.policies.list({ limit: 200, ...(cursor !== undefined && { cursor }) });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

export function policyRow(policy: Policy, now = Date.now()): string[] {
  return [
    policy.id,
    decisionWords[policy.decision],
    oneLine(policy.pattern, 60),
    oneLine(policy.conditions.map(conditionText).join(' and '), 60),
    oneLine(scopeText(policy.scope), 40),
    ago(policy.createdAt, now),
    oneLine(policy.note ?? '', 60),
  ];
}

interface AddOptions {
  when?: string[];
  client?: string;
  actor?: string;
  note?: string;
  json?: boolean;
}

export async function addPolicy(pattern: string, decision: string, options: AddOptions): Promise<void> {
  const policy: NewPolicy = {
    pattern,
    decision: parseDecision(decision),
    scope: scopeOf(options),
    conditions: (options.when ?? []).map(parseCondition),
    ...(options.note !== undefined && { note: options.note }),
  };
  const client = await connect();
  const created = await new PresenceProof().for((presence) => client.policies.create(policy, { presence }));
  if (options.json) return printJson(created);
  console.log(`Added ${created.id}: ${ruleText(created)}`);
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
  json?: boolean;
}

export async function editPolicy(id: string, options: EditOptions): Promise<void> {
  const change = changeOf(options);
  if (Object.keys(change).length === 0)
    throw new ExecutorError(
      'usage',
      'Nothing to change: pass --pattern, --decision, --when, --no-when or --note.',
    );
  const client = await connect();
  const updated = await new PresenceProof().for((presence) =>
    client.policies.update({ id, ...change }, { presence }),
  );
  if (options.json) return printJson(updated);
  console.log(`Changed ${updated.id}: ${ruleText(updated)}`);
}

function changeOf({ pattern, decision, when, note }: EditOptions): PolicyChange {
  return {
    ...(pattern !== undefined && { pattern }),
    ...(decision !== undefined && { decision: parseDecision(decision) }),
    ...(when !== undefined && { conditions: when === false ? [] : when.map(parseCondition) }),
    ...(note !== undefined && { note }),
  };
}

export async function removePolicy(id: string, { json = false }: { json?: boolean }): Promise<void> {
  const client = await connect();
  await new PresenceProof().for((presence) => client.policies.remove({ id }, { presence }));
  if (json) return printJson({ id, removed: true });
  console.log(`Removed ${id}.`);
}

export async function explainPolicy(
  path: string,
  input: string | undefined,
  { client: clientId, json = false }: { client?: string; json?: boolean },
): Promise<void> {
  const parsed = input === undefined ? undefined : parseTypedJson(input, 'The input');
  const client = await connect();
  const explanation = await client.policies.explain({
    path,
    ...(parsed !== undefined && { input: parsed }),
    ...(clientId !== undefined && { clientId }),
  });
  if (json) return printJson(explanation);
  const { decision, reason, policy, considered, tool, note } = explanation;
  console.log(`${pc.bold(decisionWords[decision])} ${printable(path)}${tool ? ` (${tool.effect})` : ''}`);
  console.log(printable(reason));
  if (note !== undefined) console.log(pc.yellow(printable(note)));
  if (policy) console.log(`\nRule: ${policy.id}  ${ruleText(policy)}`);
  if (considered.length === 0) return;
  console.log('\nRules for this tool, strongest first:');
  for (const { policy: rule, matched, why } of considered)
    console.log(
      `  ${matched ? pc.green('✓') : pc.dim('·')} ${rule.id}  ${ruleText(rule)}\n      ${printable(why)}`,
    );
}
