import type { Client } from '@executor/client';
import { ExecutorError, type NewPolicy, type Policy, type PolicyScope, printable } from '@executor/protocol';
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
      `There are no rules: what reads is allowed, everything else is asked about. \`${self} policy add\` adds one.`,
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

/** A rule as a row of a list. */
export function policyRow(policy: Policy, now = Date.now()): string[] {
  return [
    policy.id,
    policy.decision,
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
    throw new ExecutorError('usage', 'A rule is for one client or for one actor: give --client or --actor.');
  if (client !== undefined) return { type: 'client', clientId: client };
  return actor === undefined ? { type: 'workspace' } : { type: 'actor', actorId: actor };
}

export async function removePolicy(id: string, { json = false }: { json?: boolean }): Promise<void> {
  const client = await connect();
  await new PresenceProof().for((presence) => client.policies.remove({ id }, { presence }));
  if (json) return printJson({ id, removed: true });
  console.log('The rule is removed.');
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
  console.log(`${pc.bold(decision)} ${printable(path)}${tool ? ` (${tool.effect})` : ''}`);
  console.log(printable(reason));
  if (note !== undefined) console.log(pc.yellow(printable(note)));
  if (policy) console.log(`\nThe rule: ${policy.id}  ${ruleText(policy)}`);
  if (considered.length === 0) return;
  console.log('\nConsidered, the strongest first:');
  for (const { policy: rule, matched, why } of considered)
    console.log(
      `  ${matched ? pc.green('✓') : pc.dim('·')} ${rule.id}  ${ruleText(rule)}\n      ${printable(why)}`,
    );
}
