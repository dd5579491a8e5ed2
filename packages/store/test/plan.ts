import type { Fixture } from './fixture.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** The parts of the plan that was carried out, with what they did. */
export async function planOf(
  fixture: Fixture,
  { text, values }: { text: string; values: unknown[] },
): Promise<PlanNode[]> {
  const rows = await fixture.run<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
    text: `explain (analyze, format json) ${text}`,
    values,
  });
  return flatten(rows[0]?.['QUERY PLAN'][0].Plan);
}

/** How a table was read: by which index, and how many of its rows. */
export function scansOf(table: string, nodes: PlanNode[]): { index: string | undefined; touched: number }[] {
  return nodes
    .filter((node) => node['Relation Name'] === table && node['Node Type'].includes('Scan'))
    .map((node) => ({
      // A bitmap is made by the step below.
      index: node['Index Name'] ?? node.Plans?.[0]?.['Index Name'],
      touched: node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
    }));
}

function flatten(node: PlanNode | undefined): PlanNode[] {
  return node ? [node, ...(node.Plans ?? []).flatMap(flatten)] : [];
}
