import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@executor/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  agentPrograms,
  ensureAgentPrograms,
  withoutAgentPrograms,
} from '../../../scripts/setup-agent-programs.ts';
import { TestHome } from './home.ts';
import { PlayedModel } from './played-model.ts';

/**
 * Unchanged external programs that find Executor through the entries of `executor connect`: the official Inspector, mcporter, and two
 * agents with a scripted model. The agents run their own loop: they start `executor mcp`, offer its tools to the model and call them.
 */
describe.skipIf(withoutAgentPrograms)(
  `clients and agents of others (${withoutAgentPrograms ?? 'here'})`,
  () => {
    let home: TestHome;
    let notes: Notes;
    beforeAll(async () => {
      await ensureAgentPrograms();
      notes = await Notes.start();
      home = new TestHome();
      home.env.HOME = join(home.path, 'user');
      mkdirSync(join(home.path, 'user', 'work'), { recursive: true });
      await home.json('sources', 'add', `${notes.url}/openapi.json`, '--namespace', 'notes');
    });
    afterAll(async () => {
      await home[Symbol.asyncDispose]();
      notes.server.close();
    });

    const user = (...parts: string[]) => join(home.path, 'user', ...parts);

    function put(path: string, text: string): void {
      mkdirSync(join(user(path), '..'), { recursive: true });
      writeFileSync(user(path), text);
    }

    async function start(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
      const child = spawn(command, args, {
        cwd: user('work'),
        env: { PATH: process.env.PATH, HOME: user(), NO_COLOR: '1', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 150_000,
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk) => {
        stdout += chunk;
      });
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      const code = await new Promise((resolve) => child.once('close', resolve));
      return { code, stdout, stderr };
    }

    test('the Inspector lists and calls our tools', async () => {
      await home.json('connect', 'cursor', '--yes');
      const inspect = (...args: string[]) =>
        start(
          agentPrograms.node,
          [
            agentPrograms.inspector,
            '--cli',
            '--config',
            user('.cursor/mcp.json'),
            '--server',
            'executor',
            ...args,
          ],
          { MCP_INSPECTOR_SECRET_STORE: 'memory' },
        );
      const listed = await inspect('--method', 'tools/list');
      const { tools } = JSON.parse(listed.stdout.slice(listed.stdout.indexOf('{')));
      expect(tools.map(({ name }: { name: string }) => name)).toEqual(['execute', 'resume']);
      const called = await inspect(
        ...['--method', 'tools/call', '--tool-name', 'execute', '--tool-arg', 'code=return 1 + 1'],
      );
      const { content } = JSON.parse(called.stdout.slice(called.stdout.indexOf('{')));
      expect(content).toEqual([{ type: 'text', text: '2' }]);
    });

    test('mcporter calls our tools', async () => {
      await home.json('connect', 'cursor', '--yes');
      const { stdout } = await start(agentPrograms.node, [
        ...[agentPrograms.mcporter, '--config', user('.cursor/mcp.json'), 'call', 'executor.execute'],
        ...['--args', JSON.stringify({ code: 'return (await tools.notes.list({})).length' })],
      ]);
      // mcporter shows the structured content instead of the text.
      expect(JSON.parse(stdout)).toEqual({ result: notes.texts.length });
    });

    /** The agent writes a note. The write waits for approval, a user approves, and the agent continues. */
    async function writesNote(text: string, runAgent: (model: PlayedModel) => ReturnType<typeof start>) {
      const code = `const before = (await tools.notes.list({})).length;
      const note = await tools.notes.create({ text: ${JSON.stringify(text)} });
      return { before, note };`;
      const model = await PlayedModel.start((results) => {
        const last = results.at(-1);
        if (last === undefined) return { tool: 'execute', input: { code, waitMs: 1_000 } };
        const [, executionId] = /"status": ?"(?:waiting|running)".*"executionId": ?"(\w+)"/s.exec(last) ?? [];
        return executionId ? { tool: 'resume', input: { executionId } } : { text: `The note: ${last}` };
      });
      try {
        const count = notes.texts.length;
        const agent = runAgent(model);
        const approved = approveWhatWaits(() => expect(notes.texts).toHaveLength(count));
        const { code: exit, stdout, stderr } = await agent;
        expect(exit, stderr.slice(-2_000)).toBe(0);
        await approved;
        expect(notes.texts.at(-1)).toBe(text);
        expect(stdout).toContain('The note:');
        expect(stdout).toMatch(new RegExp(`"text": ?"${text}"`));
        expect(model.offered.some((name) => name.endsWith('resume'))).toBe(true);
        const [run] = (await home.json('executions', 'ls')).items;
        expect(run).toMatchObject({ status: 'completed' });
        return run;
      } finally {
        model.close();
      }
    }

    async function approveWhatWaits(whileWaiting: () => void): Promise<void> {
      const { url } = await home.json('status');
      const person = createClient({ url, token: (await home.read('data', 'local-token')).trim() });
      for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(200)) {
        const [asked] = (await person.interactions.list({ status: 'pending' })).items;
        if (asked === undefined) continue;
        expect(asked.tool).toMatchObject({ path: 'notes.create' });
        whileWaiting();
        await person.interactions.resolve({ id: asked.id, action: 'approve' });
        return;
      }
      throw new Error('Nothing asked for an approval.');
    }

    async function runOpenCode(model: PlayedModel, request: string) {
      const provider = {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: model.url, apiKey: 'none' },
        models: { played: { name: 'Played' } },
      };
      const settings = { autoupdate: false, share: 'disabled', model: 'local/played' };
      const config = { ...settings, provider: { local: provider } };
      put('.config/opencode/opencode.json', JSON.stringify(config, null, 2));
      await home.json('connect', 'opencode', '--yes');
      return start(agentPrograms.openCode, ['run', request]);
    }

    async function runCodex(model: PlayedModel, request: string) {
      const mine = `# mine
model = "played"
model_provider = "local"
approval_policy = "never"

[model_providers.local]
name = "Local"
base_url = "${model.url}"
wire_api = "responses"
`;
      put('.codex/config.toml', mine);
      await home.json('connect', 'codex', '--yes');
      expect(readFileSync(user('.codex/config.toml'), 'utf8').startsWith(mine)).toBe(true);
      // By default `codex exec` does not wait for servers, and asks before it calls a tool.
      const settings = ['required=true', 'default_tools_approval_mode="approve"'];
      const flags = settings.flatMap((setting) => ['-c', `mcp_servers.executor.${setting}`]);
      return start(agentPrograms.codex, ['exec', '--skip-git-repo-check', ...flags, request]);
    }

    test('OpenCode writes after a user approves', async () => {
      const run = await writesNote('from OpenCode', (model) => runOpenCode(model, 'Write a note, please.'));
      expect(run.clientId).toBe('opencode');
    });

    test('Codex writes after a user approves', async () => {
      await writesNote('from Codex', (model) => runCodex(model, 'Write a note, please.'));
    });

    test.each([
      ['OpenCode', runOpenCode],
      ['Codex', runCodex],
    ])('%s shows a result that is not an object once', async (_, runAgent) => {
      const seen: string[] = [];
      const model = await PlayedModel.start((results) => {
        seen.push(...results.slice(seen.length));
        return results.length === 0
          ? { tool: 'execute', input: { code: 'return ["shown", "once"]' } }
          : { text: 'Done.' };
      });
      try {
        const { code, stderr } = await runAgent(model, 'List two words, please.');
        expect(code, stderr.slice(-2_000)).toBe(0);
        expect(seen).toHaveLength(1);
        expect(seen[0]?.match(/shown/g)).toEqual(['shown']);
      } finally {
        model.close();
      }
    });
  },
);

/** A small API of notes with its OpenAPI document. */
class Notes {
  readonly texts = ['first'];
  readonly server: Server;
  url = '';

  private constructor() {
    this.server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const answer = this.#answer(`${request.method} ${request.url}`, body);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
  }

  static async start(): Promise<Notes> {
    const notes = new Notes();
    await new Promise<void>((resolve) => notes.server.listen(0, '127.0.0.1', resolve));
    notes.url = `http://127.0.0.1:${(notes.server.address() as AddressInfo).port}`;
    return notes;
  }

  #answer(route: string, body: string): unknown {
    if (route === 'GET /openapi.json') return describeNotes(this.url);
    if (route === 'GET /notes') return this.texts.map((text, index) => ({ id: index + 1, text }));
    const { text } = JSON.parse(body);
    return { id: this.texts.push(text), text };
  }
}

function describeNotes(url: string): unknown {
  const text = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };
  const json = (schema: unknown) => ({ 'application/json': { schema } });
  const answer = (schema: unknown) => ({ 200: { description: 'done', content: json(schema) } });
  return {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    servers: [{ url }],
    paths: {
      '/notes': {
        get: { operationId: 'list', tags: ['notes'], responses: answer({ type: 'array', items: text }) },
        post: {
          operationId: 'create',
          tags: ['notes'],
          requestBody: { required: true, content: json(text) },
          responses: answer(text),
        },
      },
    },
  };
}
