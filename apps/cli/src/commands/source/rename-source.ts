import {
  type AffectedRule,
  type ChangedSource,
  decisionWords,
  ExecutorError,
  printable,
} from '@executor/protocol';
import { PresenceProof } from '../../answer/presence-proof.ts';
import type { Environment } from '../../environment.ts';
import { connect } from '../../server/connect.ts';

interface RenameOptions {
  namespace?: string;
  yes?: boolean;
  json?: boolean;
  /** Commander sets it to true without --no-auth. */
  auth?: boolean;
}

type Rename = (confirmRules?: string[]) => Promise<ChangedSource>;

/**
 * Gives a source another namespace. The server lists the rules that this affects. You confirm the rules that it rewrites together, and
 * rules that would match other tools one by one.
 */
export async function renameSource(
  environment: Environment,
  name: string,
  { namespace = '', yes = false, json = false, auth = true, ...others }: RenameOptions,
): Promise<void> {
  if (!auth || Object.keys(others).length > 0)
    throw new ExecutorError(
      'usage',
      '--namespace renames the source and can be combined with --yes and --json only.',
    );
  const client = await connect(environment);
  const proof = new PresenceProof(environment);
  const rename: Rename = (confirmRules) =>
    proof.for((presence) =>
      client.sources.update({ id: name, namespace, ...(confirmRules && { confirmRules }) }, { presence }),
    );
  const source = await rename().catch(async (error: unknown) => {
    const rules = rulesIn(error);
    if (rules === undefined) throw error;
    if (!json) for (const rule of rules) environment.print(ruleLine(rule));
    await requireYes(environment, rules, { yes, json });
    return rename(rules.map(({ id }) => id));
  });
  if (json) return environment.printJson(source);
  const count = source.renamed?.rules.filter(({ change }) => change === 'rewritten').length ?? 0;
  const rules = count === 0 ? '' : ` ${count} ${count === 1 ? 'rule was' : 'rules were'} rewritten.`;
  environment.print(
    `${printable(name)} is now ${source.namespace}.${rules} Waiting runs may still use the old name.`,
  );
}

function rulesIn(error: unknown): AffectedRule[] | undefined {
  if (!(error instanceof ExecutorError) || error.details?.reason !== 'rulesAffected') return undefined;
  return error.details.rules as AffectedRule[];
}

function ruleLine({ pattern, newPattern, decision, change }: AffectedRule): string {
  const rule = printable(`${decisionWords[decision]} ${pattern}`);
  if (newPattern !== undefined) return `${rule} becomes ${printable(newPattern)}`;
  return `${rule} ${change === 'fewerTools' ? 'would match fewer tools' : 'would match tools of this source too'}`;
}

async function requireYes(
  environment: Environment,
  rules: AffectedRule[],
  { yes, json }: { yes: boolean; json: boolean },
): Promise<void> {
  if (yes) return;
  if (json || !environment.isInteractive)
    throw new ExecutorError(
      'usage',
      `Nothing was renamed. Add --yes to accept the change of ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}.`,
    );
  const rewritten = rules.filter(({ change }) => change === 'rewritten');
  const others = rules.filter(({ change }) => change !== 'rewritten');
  const questions = [
    ...(rewritten.length > 0 ? [`Rewrite ${rewritten.length === 1 ? 'this rule' : 'these rules'}?`] : []),
    ...others.map((rule) => `Accept that ${ruleLine(rule)}?`),
  ];
  const { agree } = await import('../../answer/prompts.ts');
  for (const question of questions)
    if (!(await agree(environment, question)))
      throw new ExecutorError('conflict', 'Nothing was renamed, because you did not accept a changed rule.');
}
