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

/** The nodes of an executed plan. */
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

/** The index and the number of rows with which a table was read. */
export function scansOf(table: string, nodes: PlanNode[]): { index: string | undefined; touched: number }[] {
  return nodes
    .filter((node) => node['Relation Name'] === table && node['Node Type'].includes('Scan'))
    .map((node) => ({
      // The node below creates the bitmap.
      index: node['Index Name'] ?? node.Plans?.[0]?.['Index Name'],
      touched: node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
    }));
}

function flatten(node: PlanNode | undefined): PlanNode[] {
  return node ? [node, ...(node.Plans ?? []).flatMap(flatten)] : [];
}
