import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testModelFolder } from '../../../scripts/setup-model.ts';
import { commandLineDocument } from '../docs.ts';
import { program } from './built-program.ts';
import { CommandRelay } from './command-relay.ts';
import { TestHome } from './home.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .toSorted(),
];

/** Commands that contain this test, or that run until Ctrl-C. Their scripts must exist, and CI runs them. */
const runElsewhere = ['npm ci && npm start', 'npm ci && npm test', 'npm run check'];

/** The shell commands of a document, and the output that it shows after them in the same section. */
function shownIn(document: string): { commands: string; output: string[] } {
  const sections = readFileSync(join(root, document), 'utf8').split(/^## /m);
  const commands: string[] = [];
  const output: string[] = [];
  for (const section of sections) {
    const blocks = [...section.matchAll(/^```(\w*)\n(.*?)^```$/gms)];
    for (const [index, [, language, content = '']] of blocks.entries()) {
      if (language === 'sh' && !runElsewhere.includes(content.trim())) commands.push(content.trim());
      if (language === 'text' && blocks[index - 1]?.[1] === 'sh') output.push(content);
    }
  }
  return { commands: commands.join('\n'), output };
}

describe('the commands of every document work', () => {
  const home = new TestHome();
  // Otherwise the command that sets it would download it.
  cpSync(testModelFolder, join(home.path, 'models', 'minilm'), { recursive: true });
  let relay: CommandRelay;
  beforeAll(async () => {
    relay = await new CommandRelay(join(home.path, 'relay.sock')).listen();
  });
  afterAll(async () => {
    relay.close();
    await home[Symbol.asyncDispose]();
  });

  for (const document of documents) {
    const { commands, output } = shownIn(document);
    if (commands === '') continue;
    test(document, async () => {
      // The README runs on the real program, as users start it.
      const script = document === 'README.md' ? programScript : relay.script;
      // One daemon is enough for all documents that only use it.
      if (!/executor (down|restart)/.test(commands))
        return expectOutput(await runShown(commands, { home, script }), output);
      await using own = new TestHome();
      expectOutput(await runShown(commands, { home: own, script }), output);
    });
  }
});

const programScript = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;

async function runShown(
  commands: string,
  { home, script }: { home: TestHome; script: string },
): Promise<string> {
  const bin = join(home.path, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'executor'), script);
  writeFileSync(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n');
  for (const name of ['executor', 'npx']) chmodSync(join(bin, name), 0o755);
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: home.path,
    env: { ...home.env, PATH: `${bin}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  expect({ status, stderr: status === 0 ? '' : stderr, stdout: status === 0 ? '' : stdout }).toEqual({
    status: 0,
    stderr: '',
    stdout: '',
  });
  return `${stdout}\n${stderr}`;
}

/** Each line of output that a document shows must be printed. Ids, ports and process numbers differ; `…` stands for anything. */
function expectOutput(printed: string, shown: string[]): void {
  const lines = printed.split('\n').map(withoutChance);
  const missing = shown
    .flatMap((block) => block.split('\n'))
    .map(withoutChance)
    .filter((line) => !lines.some((other) => lineAsPattern(line).test(other)));
  expect(missing, printed).toEqual([]);
}

function withoutChance(line: string): string {
  return line
    .replace(/\b([a-z]{3})_[0-9a-z]{20,}(_\w+)?/g, '$1_ID')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/process \d+/g, 'process N')
    .replace(/\s+/g, ' ')
    .trim();
}

function lineAsPattern(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

test('documents name only npm scripts that exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = documents.flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/npm run ([\w:]+)/g)].map((match) => match[1]),
  );
  expect(named.length).toBeGreaterThan(3);
  for (const name of named) expect(Object.keys(scripts)).toContain(name);
});

test('no line of a document has more than 120 characters', () => {
  const long = documents.flatMap((document) =>
    readFileSync(join(root, document), 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.length > 120 ? [`${document}:${index + 1}`] : [])),
  );
  expect(long).toEqual([]);
});

test('links between documents are valid', () => {
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8');
    for (const [, target] of text.matchAll(/\]\(((?!http)[^)#]+)\)/g)) {
      expect(
        () => readFileSync(join(root, document, '..', target as string)),
        `${target} in ${document}`,
      ).not.toThrow();
    }
  }
});

test('docs/reference/cli.md is current', () => {
  expect(readFileSync(join(root, 'docs/reference/cli.md'), 'utf8')).toBe(`${commandLineDocument()}\n`);
});

test('docs/reference/http-api.md lists the status of each error code', async () => {
  const { ExecutorError } = await import('@executor/protocol');
  const rows = [
    ...readFileSync(join(root, 'docs/reference/http-api.md'), 'utf8').matchAll(/`(\w+)` *\| *(\d{3})/g),
  ];
  expect(rows.length).toBeGreaterThan(10);
  for (const [, code, status] of rows)
    expect(ExecutorError.httpStatus(code as 'internal'), code).toBe(Number(status));
});
