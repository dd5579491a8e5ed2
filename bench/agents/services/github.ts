import type { Call, FakeService, Item, Operation, Reply } from './fake-service.ts';
import {
  commitView,
  issueView,
  labelView,
  pullView,
  repositoryView,
  runView,
  sha,
  userView,
} from './github-views.ts';
import { cycle, numbers } from './people.ts';

const repo = '/repos/{owner}/{repo}';
const newestCommit = '9f2c4e1ab07d35c86e1f0a2b4c6d8e0f1a3b5c7d';

/** The part of GitHub that the tasks use. Its document is GitHub's own, so all other operations answer with 404. */
export const github: FakeService = {
  name: 'github',
  info: {},
  pathParameters: {},
  operations: [
    on('GET', `${repo}/issues`, (call) => {
      const { state: wanted = 'open', creator, labels } = call.query;
      const found = (call.state.issues ?? []).filter((issue) => {
        const own = issue.labels as string[];
        return (
          (wanted === 'all' || issue.state === wanted) &&
          (creator === undefined || issue.user === creator) &&
          (labels === undefined || labels.split(',').every((label) => own.includes(label)))
        );
      });
      return paged(call, found.toReversed(), issueView);
    }),
    on('POST', `${repo}/issues`, ({ state, body }) => {
      const number = 312;
      const { title, body: content = null, labels = [], assignees = [] } = body;
      const issue = {
        number,
        title,
        body: content,
        labels,
        assignees,
        state: 'open',
        user: 'mira',
        comments: 0,
      };
      state.issues?.push(issue);
      return { status: 201, body: issueView(issue) };
    }),
    on('GET', `${repo}/issues/{number}`, (call) => withIssue(call, (issue) => ({ body: issueView(issue) }))),
    on('PATCH', `${repo}/issues/{number}`, (call) =>
      withIssue(call, (issue) => {
        const { title, body, state, state_reason, labels } = call.body;
        const changes = { title, body, state, state_reason, labels };
        Object.assign(
          issue,
          Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
        );
        return { body: issueView(issue) };
      }),
    ),
    on('POST', `${repo}/issues/{number}/comments`, (call) =>
      withIssue(call, (issue) => {
        call.state.comments?.push({ issue: issue.number, body: call.body.body });
        return { status: 201, body: { id: 7001, body: call.body.body, user: userView('mira') } };
      }),
    ),
    on('POST', `${repo}/issues/{number}/labels`, (call) =>
      withIssue(call, (issue) => {
        const added: string[] = Array.isArray(call.body) ? call.body : call.body.labels;
        issue.labels = [...new Set([...(issue.labels as string[]), ...added])];
        return { body: (issue.labels as string[]).map(labelView) };
      }),
    ),
    on('POST', `${repo}/releases`, ({ state, body }) => {
      state.releases?.push({ ...body });
      return {
        status: 201,
        body: {
          id: 6001,
          html_url: 'https://github.com/acme/rocket/releases/1',
          author: userView('mira'),
          assets: [],
          ...body,
        },
      };
    }),
    on('GET', `${repo}/pulls`, (call) => paged(call, (call.state.pulls ?? []).toReversed(), pullView)),
    on('GET', `${repo}/pulls/{number}`, (call) => withPull(call, (pull) => ({ body: pullView(pull) }))),
    on('PUT', `${repo}/pulls/{number}/merge`, (call) =>
      withPull(call, (pull) => {
        Object.assign(pull, { merged: true, merge_method: call.body.merge_method ?? 'merge' });
        return {
          body: { sha: sha(Number(pull.number)), merged: true, message: 'Pull Request successfully merged' },
        };
      }),
    ),
    on('POST', `${repo}/pulls/{number}/requested_reviewers`, (call) =>
      withPull(call, (pull) => {
        pull.requested_reviewers = call.body.reviewers;
        return { status: 201, body: pullView(pull) };
      }),
    ),
    on('GET', `${repo}/commits`, (call) => paged(call, call.state.commits ?? [], commitView)),
    on('GET', `${repo}/git/ref/heads/main`, () => ({ body: refView('refs/heads/main', newestCommit) })),
    on('POST', `${repo}/git/refs`, ({ state, body }) => {
      if (!String(body.ref).startsWith('refs/')) return problem(422, 'Reference name must start with refs/.');
      state.refs?.push({ ref: body.ref, sha: body.sha });
      return { status: 201, body: refView(body.ref, body.sha) };
    }),
    on('GET', `${repo}/actions/runs`, (call) => {
      const { branch, status } = call.query;
      const runs = (call.state.runs ?? []).filter((run) => {
        return (
          (branch === undefined || run.head_branch === branch) &&
          (status === undefined || run.conclusion === status)
        );
      });
      const { body, headers } = paged(call, runs.toReversed(), runView);
      return { body: { total_count: runs.length, workflow_runs: body }, ...(headers && { headers }) };
    }),
    on('POST', `${repo}/actions/runs/{run}/rerun-failed-jobs`, ({ state, path }) => {
      state.reruns?.push({ run_id: Number(path.run) });
      return { status: 201, body: {} };
    }),
    on('GET', '/orgs/{org}/repos', (call) =>
      paged(call, call.state.repositories ?? [], ({ name, stargazers_count }) =>
        repositoryView(String(name), Number(stargazers_count)),
      ),
    ),
  ],
  notFound: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
  seed: () => ({
    issues: numbers(311)
      .filter((number) => number < 256 || number > 270)
      .map(issueOf),
    comments: [],
    releases: [],
    pulls: numbers(15).map((index) => {
      const number = 255 + index;
      const title =
        number === 266
          ? 'Speed up the countdown'
          : `Improve ${cycle(['the engine', 'the hull', 'the radio'], number)} (${number})`;
      return {
        number,
        title,
        head: `change-${number}`,
        user: cycle(['mira', 'tomas', 'ghost'], number),
        merged: false,
        requested_reviewers: [],
      };
    }),
    commits: numbers(40).map((number) => {
      return {
        sha: number === 1 ? newestCommit : sha(number),
        message: `Commit ${number}`,
        date: '2026-11-18T08:00:00Z',
      };
    }),
    refs: [],
    runs: numbers(34).map((number) => {
      const conclusion = number === 31 || number === 12 || number === 33 ? 'failure' : 'success';
      return { id: 88_000 + number, head_branch: number === 33 ? 'change-266' : 'main', conclusion };
    }),
    reruns: [],
    repositories: numbers(45).map((number) => {
      return { name: number === 9 ? 'rocket' : `part-${number}`, stargazers_count: (number * 37) % 411 };
    }),
  }),
};

function issueOf(number: number): Item {
  const isUntriaged = [14, 58, 103, 155, 201, 249, 290].includes(number);
  const isOpen = isUntriaged || number === 187 || number % 10 > 2;
  return {
    number,
    title:
      number === 187
        ? 'Support floppy disks'
        : `${cycle(['Engine', 'Hull', 'Radio', 'Fuel'], number)} problem ${number}`,
    body: 'Steps to reproduce:\n1. Start the countdown.\n2. Watch the log.',
    labels: isUntriaged
      ? []
      : number % 5 === 0
        ? ['enhancement']
        : ['bug', ...(number % 7 === 0 ? ['p1'] : [])],
    state: isOpen ? 'open' : 'closed',
    user: isUntriaged || number % 17 === 0 ? 'ghost' : cycle(['mira', 'tomas', 'ines'], number),
    comments: isUntriaged ? 0 : 1 + (number % 4),
  };
}

function on(method: Operation['method'], path: string, handle: (call: Call) => Reply): Operation {
  const checked = (call: Call) => {
    const { owner = 'acme', repo: name = 'rocket', org = 'acme' } = call.path;
    return owner === 'acme' && name === 'rocket' && org === 'acme' ? handle(call) : problem(404, 'Not Found');
  };
  return { method, path, summary: path, handle: checked };
}

function paged(
  { query: { page = '1', per_page = '30' }, url }: Call,
  all: Item[],
  view: (item: Item) => Item,
): Reply {
  const [number, size] = [Number(page), Math.min(Number(per_page), 100)];
  const next = new URL(url);
  next.searchParams.set('page', String(number + 1));
  const body = all.slice((number - 1) * size, number * size).map(view);
  const hasMore = number * size < all.length;
  return { body, ...(hasMore && { headers: { link: `<${next.pathname}${next.search}>; rel="next"` } }) };
}

function withIssue(call: Call, work: (issue: Item) => Reply): Reply {
  const found = call.state.issues?.find(({ number }) => String(number) === call.path.number);
  return found ? work(found) : problem(404, 'Not Found');
}

function withPull(call: Call, work: (pull: Item) => Reply): Reply {
  const found = call.state.pulls?.find(({ number }) => String(number) === call.path.number);
  return found ? work(found) : problem(404, 'Not Found');
}

function refView(ref: string, commit: string): Item {
  const url = `https://api.github.com/repos/acme/rocket/git/${ref}`;
  return { ref, node_id: 'REF_1', url, object: { sha: commit, type: 'commit', url } };
}

function problem(status: number, message: string): Reply {
  return {
    status,
    body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
  };
}
