import { beforeAll, describe, expect, test } from 'vitest';
import { createFixture } from '../../test/conformance/fixture.ts';
import { startKeyedProxy } from '../../test/conformance/keyed-proxy.ts';
import { type Outcome, type Revision, runSuite } from '../../test/conformance/run-suite.ts';
import { createKey } from '../../test/mcp-client.ts';
import { startTestServer, type TestServer } from '../../test/server.ts';

/** The official conformance suite against `/mcp`. These tables list each failing check with its reason. No other check may fail. */
interface Exception {
  /** The failing checks. Absent: all checks of the scenario. */
  checks?: string[];
  why: string;
}

const noSampling =
  'Executor does not use sampling. The fixture requests it through the SDK, which waits for the answer in the same request. The answer arrives in another request, where Executor accepts only answers to dialogs.';
const noFailedTask =
  'A run that fails by a fault of the server has a result that says so. No code of a fixture can cause one.';
const noHeaderArguments =
  'Not scored yet. No tool of Executor has arguments in headers. The SDK checks them only for tools in its own list, which neither the product nor the fixture uses.';

const exceptions: Record<Revision, Record<string, Exception>> = {
  '2025-11-25': {
    'tools-call-sampling': { why: noSampling },
  },
  '2026-07-28': {
    'http-custom-header-server-validation': {
      checks: [
        'sep-2243-server-reject-invalid-param-chars',
        'sep-2243-server-reject-param-mismatch',
        'sep-2243-server-validate-param-match',
      ],
      why: noHeaderArguments,
    },
    'tasks-lifecycle': { checks: ['sep-2663-tasks-get-status-failed'], why: noFailedTask },
  },
};

/** The number of scenarios in each release of the suite. Fewer mean that the suite did not finish. */
const scenarios: Record<Revision, number> = { '2025-11-25': 32, '2026-07-28': 50 };

/** Scenarios that need no tools of the suite, so that they test the product itself. */
const generic: Record<Revision, string[]> = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
  ],
};

const revisions: Revision[] = ['2025-11-25', '2026-07-28'];
/** The older revision takes long and adds little to other tests, so only the long form runs it against the product. */
const productRevisions = process.env.EXECUTOR_TEST_LONG === '1' ? revisions : revisions.slice(1);

/** A form with all fields that the suite fills in. */
const askForSuiteFields: Parameters<TestServer['notes']['instead']['set']>[1] = async ({ ask }) => {
  const text = { type: 'string' };
  const properties = { confirm: { type: 'boolean' }, name: text, username: text, email: text };
  const request = { type: 'object', properties };
  return { type: 'value', value: await ask({ kind: 'elicitation', prompt: 'Are you sure?', request }) };
};

async function runRevisions(
  selected: Revision[],
  createMcpServer?: typeof createFixture,
): Promise<Map<Revision, Outcome>> {
  await using server = await startTestServer({}, createMcpServer ? { createMcpServer } : {});
  server.notes.instead.set('notes.ask', askForSuiteFields);
  await using proxy = await startKeyedProxy(server.url, await createKey(server));
  const outcomes = new Map<Revision, Outcome>();
  // One after the other, because the suite waits only a few seconds for a task, which a busy machine could exceed.
  for (const revision of selected) {
    const first = await runSuite(revision, proxy.url);
    outcomes.set(revision, onlyTasksFailed(revision, first) ? await runSuite(revision, proxy.url) : first);
  }
  return outcomes;
}

/** Whether all unlisted failures are about tasks, whose checks depend on time. */
function onlyTasksFailed(revision: Revision, outcome: Outcome): boolean {
  const unlisted = [...outcome].filter(([scenario, failed]) => {
    const expected = exceptions[revision][scenario];
    const listed = expected ? (expected.checks ?? failed) : [];
    return failed.some((check) => !listed.includes(check));
  });
  return unlisted.length > 0 && unlisted.every(([scenario]) => scenario.startsWith('tasks-'));
}

describe('the endpoint, with the tools that the suite expects', () => {
  let outcomes: Map<Revision, Outcome>;
  beforeAll(async () => {
    outcomes = await runRevisions(revisions, createFixture);
  });

  for (const revision of revisions) {
    test(`conforms to ${revision} except for the listed checks`, () => {
      const outcome = outcomes.get(revision) as Outcome;
      const expected = exceptions[revision];
      const failed = Object.fromEntries([...outcome].filter(([, checks]) => checks.length > 0));
      expect(Object.keys(failed)).toEqual(Object.keys(expected).toSorted());
      for (const [scenario, { checks }] of Object.entries(expected)) {
        if (checks) expect(failed[scenario]).toEqual(checks);
      }
      expect(outcome.size).toBe(scenarios[revision]);
    });
  }
});

describe('the product itself', () => {
  let outcomes: Map<Revision, Outcome>;
  beforeAll(async () => {
    outcomes = await runRevisions(productRevisions);
  });

  for (const revision of productRevisions) {
    test(`conforms to ${revision} in all scenarios without tools of the suite`, () => {
      const failed = Object.fromEntries(
        generic[revision].map((scenario) => [scenario, outcomes.get(revision)?.get(scenario)]),
      );
      expect(failed).toEqual(Object.fromEntries(generic[revision].map((scenario) => [scenario, []])));
    });
  }

  test('is stateless as 2026-07-28 requires', () => {
    expect(outcomes.get('2026-07-28')?.get('server-stateless')).toEqual([
      // These four need tools of the suite.
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-missing-capability-http-400',
      'sep-2575-server-no-log-without-loglevel',
      'sep-2575-server-rejects-undeclared-capability',
    ]);
  });
});
