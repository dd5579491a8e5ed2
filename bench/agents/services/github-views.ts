import type { Item } from './fake-service.ts';

/** The long form in which GitHub answers: most of it is addresses. */
const api = 'https://api.github.com';
const repository = `${api}/repos/acme/rocket`;

export function userView(login: string): Item {
  const url = `${api}/users/${login}`;
  return {
    login,
    id: 1000 + login.length,
    node_id: `MDQ6VXNlcjE${login.length}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${1000 + login.length}?v=4`,
    gravatar_id: '',
    url,
    html_url: `https://github.com/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: 'User',
    user_view_type: 'public',
    site_admin: false,
  };
}

export function issueView(issue: Item): Item {
  const url = `${repository}/issues/${issue.number}`;
  const number = Number(issue.number);
  return {
    url,
    repository_url: repository,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `https://github.com/acme/rocket/issues/${number}`,
    id: 2_000_000 + number,
    node_id: `I_kwDOA${number}`,
    number,
    title: issue.title,
    user: userView(String(issue.user)),
    labels: (issue.labels as string[]).map(labelView),
    state: issue.state,
    locked: false,
    assignee: null,
    assignees: ((issue.assignees as string[] | undefined) ?? []).map(userView),
    milestone: null,
    comments: issue.comments,
    created_at: '2026-06-01T08:00:00Z',
    updated_at: '2026-06-02T08:00:00Z',
    closed_at: issue.state === 'closed' ? '2026-06-03T08:00:00Z' : null,
    author_association: 'NONE',
    active_lock_reason: null,
    body: issue.body,
    reactions: reactionsView(url),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    state_reason: issue.state_reason ?? null,
  };
}

function reactionsView(url: string): Item {
  const kinds = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'];
  return { url: `${url}/reactions`, total_count: 0, ...Object.fromEntries(kinds.map((kind) => [kind, 0])) };
}

export function labelView(name: string): Item {
  const id = 3_000 + name.length;
  const url = `${repository}/labels/${encodeURIComponent(name)}`;
  return { id, node_id: `LA_${id}`, url, name, color: 'd73a4a', default: name === 'bug', description: '' };
}

export function pullView(pull: Item): Item {
  const url = `${repository}/pulls/${pull.number}`;
  const branch = (ref: string) => ({
    label: `acme:${ref}`,
    ref,
    sha: sha(Number(pull.number)),
    user: userView('acme'),
    repo: repositoryView('rocket', 900),
  });
  return {
    url,
    id: 4_000_000 + Number(pull.number),
    node_id: `PR_${pull.number}`,
    html_url: `https://github.com/acme/rocket/pull/${pull.number}`,
    diff_url: `https://github.com/acme/rocket/pull/${pull.number}.diff`,
    patch_url: `https://github.com/acme/rocket/pull/${pull.number}.patch`,
    issue_url: `${repository}/issues/${pull.number}`,
    number: pull.number,
    state: pull.merged ? 'closed' : 'open',
    locked: false,
    title: pull.title,
    user: userView(String(pull.user)),
    body: 'See the title.',
    created_at: '2026-10-01T08:00:00Z',
    updated_at: '2026-10-02T08:00:00Z',
    closed_at: null,
    merged_at: null,
    merge_commit_sha: sha(Number(pull.number)),
    assignee: null,
    assignees: [],
    requested_reviewers: (pull.requested_reviewers as string[]).map(userView),
    requested_teams: [],
    labels: [],
    milestone: null,
    draft: false,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    statuses_url: `${repository}/statuses/${sha(Number(pull.number))}`,
    head: branch(String(pull.head)),
    base: branch('main'),
    author_association: 'CONTRIBUTOR',
    auto_merge: null,
    active_lock_reason: null,
  };
}

export function repositoryView(name: string, stars: number): Item {
  const url = `${api}/repos/acme/${name}`;
  const parts = [
    'forks',
    'keys',
    'collaborators',
    'teams',
    'hooks',
    'events',
    'assignees',
    'branches',
    'tags',
    'blobs',
  ];
  const more = [
    'languages',
    'stargazers',
    'contributors',
    'subscribers',
    'commits',
    'comments',
    'contents',
    'merges',
    'downloads',
    'issues',
    'pulls',
    'milestones',
    'labels',
    'releases',
    'deployments',
  ];
  return {
    id: 5_000 + stars,
    node_id: `R_${stars}`,
    name,
    full_name: `acme/${name}`,
    private: false,
    owner: userView('acme'),
    html_url: `https://github.com/acme/${name}`,
    description: `The ${name} of acme`,
    fork: false,
    url,
    ...Object.fromEntries([...parts, ...more].map((part) => [`${part}_url`, `${url}/${part}`])),
    created_at: '2020-01-01T00:00:00Z',
    updated_at: '2026-11-01T00:00:00Z',
    pushed_at: '2026-11-01T00:00:00Z',
    git_url: `git://github.com/acme/${name}.git`,
    ssh_url: `git@github.com:acme/${name}.git`,
    clone_url: `https://github.com/acme/${name}.git`,
    homepage: null,
    size: 100,
    stargazers_count: stars,
    watchers_count: stars,
    language: 'TypeScript',
    has_issues: true,
    has_wiki: false,
    forks_count: 3,
    archived: false,
    disabled: false,
    open_issues_count: 12,
    license: null,
    topics: [],
    visibility: 'public',
    default_branch: 'main',
    permissions: { admin: false, push: true, pull: true },
  };
}

export function commitView(commit: Item): Item {
  const url = `${repository}/commits/${commit.sha}`;
  const author = { name: 'Mira', email: 'mira@example.com', date: commit.date };
  return {
    sha: commit.sha,
    node_id: `C_${String(commit.sha).slice(0, 8)}`,
    commit: {
      author,
      committer: author,
      message: commit.message,
      tree: { sha: commit.sha, url },
      url,
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null },
    },
    url,
    html_url: `https://github.com/acme/rocket/commit/${commit.sha}`,
    comments_url: `${url}/comments`,
    author: userView('mira'),
    committer: userView('mira'),
    parents: [{ sha: commit.sha, url, html_url: url }],
  };
}

export function runView(run: Item): Item {
  const url = `${repository}/actions/runs/${run.id}`;
  const parts = ['jobs', 'logs', 'check_suite', 'artifacts', 'cancel', 'rerun', 'workflow'];
  return {
    id: run.id,
    name: 'build',
    node_id: `WFR_${run.id}`,
    head_branch: run.head_branch,
    head_sha: sha(Number(run.id)),
    path: '.github/workflows/build.yml',
    display_title: 'Build',
    run_number: Number(run.id) - 88_000,
    event: 'push',
    status: 'completed',
    conclusion: run.conclusion,
    workflow_id: 161_335,
    url,
    html_url: `https://github.com/acme/rocket/actions/runs/${run.id}`,
    ...Object.fromEntries(parts.map((part) => [`${part}_url`, `${url}/${part}`])),
    created_at: '2026-11-18T08:00:00Z',
    updated_at: '2026-11-18T08:10:00Z',
    actor: userView('mira'),
    run_attempt: 1,
    triggering_actor: userView('mira'),
    head_commit: {
      id: sha(Number(run.id)),
      tree_id: sha(1),
      message: 'Build',
      timestamp: '2026-11-18T08:00:00Z',
      author: { name: 'Mira', email: 'mira@example.com' },
    },
    repository: repositoryView('rocket', 900),
  };
}

/** A commit id made of a number. */
export function sha(number: number): string {
  return number.toString(16).padStart(40, '7');
}
