import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { buildProduct } from '../scripts/build.ts';
import { describeWithPackage } from './agents/executor-package.ts';
import { McpSession } from './agents/mcp-session.ts';
import { modelAgent } from './agents/model-agent.ts';
import { plainListing } from './agents/plain-listing.ts';
import { scriptedAgent } from './agents/policy/scripted-agent.ts';
import { figuresOf, taskHead, taskLine, totalsOf } from './agents/report.ts';
import { type Group, groups, runTask, type TaskReport, tasksOf } from './agents/run-tasks.ts';
import type { Agent } from './agents/task.ts';
import { Services } from './agents/world.ts';
import { type Daemon, withDaemon } from './daemon.ts';
import type { Figure } from './figure.ts';

const options = { 'model-url': { type: 'string' }, model: { type: 'string' } } as const;
/** The environment variable with the key of a real model. */
const keyVariable = 'EXECUTOR_BENCH_MODEL_KEY';

interface World {
  daemon: Daemon;
  services: Services;
}

/**
 * `npm run bench agents [-- WORD… --model-url URL --model NAME]` measures how agents get along with Executor. A word is a
 * group of tasks, the id of a task, `plain` (a listing of each operation as a tool) or `package` (how the npm package
 * `executor` 1.5.9 describes tools). Without words: the open and GitHub tasks, and the plain listing. The sealed tasks
 * are run only to close a piece of work, so that nothing is tuned on them.
 */
export async function measureAgents(args: string[] = []): Promise<Figure[]> {
  const { values, positionals: words } = parseArgs({ args, options, allowPositionals: true });
  const { 'model-url': url, model: name = '' } = values;
  const agent = url === undefined ? scriptedAgent : modelAgent({ url, name, key: process.env[keyVariable] });
  const wanted = words.length > 0 ? words : ['open', 'github', 'plain'];
  await buildProduct();
  const services = await Services.start({ withGithub: true });
  try {
    return await withDaemon(async (daemon) => {
      await services.connect(daemon.client());
      const world = { daemon, services };
      const figures: Figure[] = [];
      for (const group of groups)
        figures.push(
          ...(await measureGroup(group, wanted, {
            agent,
            label: url === undefined ? 'scripted' : name,
            world,
          })),
        );
      if (wanted.includes('plain')) figures.push(...(await measurePlain(services)));
      if (wanted.includes('package')) figures.push(...(await measurePackage(world)));
      return figures;
    });
  } finally {
    await services.close();
  }
}

/** Runs the tasks of a group that are wanted. The sealed ones have to be named as a group. */
async function measureGroup(
  group: Group,
  wanted: string[],
  { agent, label, world: { daemon, services } }: { agent: Agent; label: string; world: World },
): Promise<Figure[]> {
  const { url } = JSON.parse(daemon.executor('status', '--json'));
  const folder = new URL('./results/agents/', import.meta.url);
  await mkdir(folder, { recursive: true });
  const reports: TaskReport[] = [];
  for (const [index, task] of tasksOf(group).entries()) {
    if (!wanted.includes(group) && (group === 'sealed' || !wanted.includes(task.id))) continue;
    if (reports.length === 0) console.log(taskHead);
    const report = await runTask(task, index, { url, user: daemon.client(url), services, agent });
    await writeFile(new URL(`${task.id}.json`, folder), `${JSON.stringify(report, null, 2)}\n`);
    console.log(taskLine(report));
    reports.push(report);
  }
  return reports.length === 0 ? [] : figuresOf(group, totalsOf(reports), label);
}

/** What a client shows a model before its first word if each operation is a tool. */
async function measurePlain({ running }: Services): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, services] of Object.entries({
    'the invented services': running.filter((service) => service.name !== 'github'),
    'these and GitHub': running,
  })) {
    const { tools, characters } = await plainListing(services);
    figures.push({
      name: `plain MCP, ${tools} tools of ${name}: characters at the start`,
      value: characters,
      unit: '',
    });
  }
  return figures;
}

/** Compares what a model reads until it can write its calls: the start, a search for each step, and descriptions. */
async function measurePackage({ daemon, services }: World): Promise<Figure[]> {
  const tasks = [...tasksOf('open'), ...tasksOf('github')];
  const queriesOf = (task: (typeof tasks)[number]) => [...new Set(task.steps.map((step) => step.do))];
  const queries = tasks.flatMap(queriesOf);
  const name = 'open and github: characters read to find and understand the tools';
  const total = (start: number, found: Map<string, number>) =>
    tasks.reduce(
      (sum, task) => sum + start + queriesOf(task).reduce((all, query) => all + (found.get(query) ?? 0), 0),
      0,
    );
  const ours = await describeHere(daemon, queries);
  const value = total(ours.start, ours.found);
  try {
    const theirs = await describeWithPackage(services.running, queries);
    const baseline = { name: 'npm package executor 1.5.9', value: total(theirs.start, theirs.found) };
    return [{ name, value, unit: '', baseline }];
  } catch (error) {
    return [{ name, value, unit: '', note: `executor 1.5.9 is not available: ${(error as Error).message}` }];
  }
}

async function describeHere(daemon: Daemon, queries: string[]) {
  const { url } = JSON.parse(daemon.executor('status', '--json'));
  const clientHabits = { showsInstructions: true, maxDescription: 10_000 };
  const session = await McpSession.connect({
    url,
    user: daemon.client(url),
    clientHabits,
    userDenies: false,
  });
  const found = new Map<string, number>();
  for (const query of new Set(queries)) {
    const texts = await session.call('execute', { code: codeFor(query) });
    found.set(query, texts.join('\n').length);
  }
  await session.close();
  return { start: session.measured.start, found };
}

/** The same work as with the package: a search, and the description of its best match. */
function codeFor(query: string): string {
  return `const found = await tools.discover({ query: ${JSON.stringify(query)} });
const path = found.bestPath;
return { found, details: path ? await tools.describe.tool({ path }) : null };`;
}
