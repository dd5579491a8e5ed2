import type { Call, FakeService, Item, Reply } from './fake-service.ts';
import { lumenData, priorities, states } from './lumen-data.ts';
import { boolean, choice, integer, listOf, object, query, ref, text } from './schema.ts';

const workspace = '/workspaces/{workspaceId}';
const project = `${workspace}/projects/{projectId}`;

const version = {
  name: 'X-Lumen-Version',
  in: 'header',
  required: true,
  description: 'The version of the API that the client was written for. There is one version at the moment.',
  schema: { type: 'string', enum: ['2026-06'] },
};

/** A project tracker: nested resources, bare lists with Link headers, wordy descriptions, and a required version header. */
export const lumen: FakeService = {
  name: 'lumen',
  info: {
    title: 'Lumen Projects Public API',
    version: '2026-06',
    description:
      'The Lumen Projects Public API lets you build integrations on top of the same primitives that power the Lumen web application. Every request is made in the context of a workspace.',
  },
  pathParameters: {
    workspaceId:
      'The opaque identifier of the workspace in whose context the request is made. You can find it with the operation that lists all workspaces.',
    projectId:
      'The opaque identifier of the project. This is not the human readable key that the application shows.',
    itemId:
      'The opaque identifier of the work item. This is not the number that the application shows next to the title.',
    milestoneId: 'The opaque identifier of the milestone.',
  },
  schemas: {
    Workspace: object({ id: text(), name: text('The display name of the workspace'), plan: text() }),
    Project: object({
      id: text(),
      key: text('A short human readable key, unique in the workspace'),
      name: text(),
      leadId: text('The member who leads the project'),
      archived: boolean(),
    }),
    WorkItem: object({
      id: text(),
      number: integer('A number that is unique in the project and shown to users'),
      projectId: text(),
      title: text(),
      state: choice(states),
      priority: choice(priorities),
      assigneeId: text('The member who is responsible for the work item', { nullable: true }),
      labels: listOf(text()),
      dueOn: text(undefined, { format: 'date', nullable: true }),
      estimate: integer('Story points'),
    }),
    Member: object({
      id: text(),
      displayName: text(),
      email: text(),
      role: choice(['owner', 'member', 'guest']),
    }),
    Milestone: object({ id: text(), projectId: text(), name: text(), dueOn: text(), closed: boolean() }),
    Comment: object({ id: text(), itemId: text(), text: text(), createdAt: text() }),
    TimeEntry: object({ id: text(), itemId: text(), minutes: integer(), spentOn: text() }),
    WorkItemInput: object({
      title: text('The title of the work item. Markdown is not supported here.'),
      description: text('The description of the work item in Markdown.'),
      state: choice(states, 'The state of the work item in the workflow of its project.'),
      priority: choice(priorities),
      assigneeId: text(
        'The identifier of the member who should be responsible for the work item. The member must belong to the workspace.',
      ),
      dueOn: text('The day on which the work item is due', { format: 'date' }),
      estimate: integer('The estimated effort in story points.'),
    }),
  },
  operations: [
    list(
      '/workspaces',
      'workspaces',
      'Workspace',
      'Workspaces_List',
      'Retrieve all workspaces that the current credentials can access',
    ),
    list(
      `${workspace}/projects`,
      'projects',
      'Project',
      'Projects_ListForWorkspace',
      'Retrieve the projects of a workspace',
    ),
    one(project, 'projects', 'Project', 'Projects_Get', 'Retrieve a single project'),
    list(
      `${workspace}/members`,
      'members',
      'Member',
      'Members_ListForWorkspace',
      'Retrieve the members of a workspace',
    ),
    list(
      `${project}/items`,
      'workItems',
      'WorkItem',
      'WorkItems_ListForProject',
      'Retrieve the work items of a project',
      [
        query(
          'state',
          choice(states),
          'Restricts the response to work items that are in the given state of the workflow.',
        ),
        query(
          'assigneeId',
          text(),
          'Restricts the response to work items that the given member is responsible for.',
        ),
        query('label', text(), 'Restricts the response to work items that carry the given label.'),
      ],
    ),
    one(`${project}/items/{itemId}`, 'workItems', 'WorkItem', 'WorkItems_Get', 'Retrieve a single work item'),
    {
      ...operation(
        'POST',
        `${project}/items`,
        'WorkItems_Create',
        'WorkItems',
        'Create a new work item in a project',
      ),
      body: { allOf: [ref('WorkItemInput'), { type: 'object', required: ['title'] }] },
      reply: ref('WorkItem'),
      handle: (call) => createItem(call),
    },
    {
      ...operation(
        'PATCH',
        `${project}/items/{itemId}`,
        'WorkItems_Update',
        'WorkItems',
        'Modify one or more properties of a work item',
      ),
      body: ref('WorkItemInput'),
      reply: ref('WorkItem'),
      handle: ({ state, path, body }) => change(state.workItems, path.itemId, body),
    },
    {
      ...operation(
        'DELETE',
        `${project}/items/{itemId}`,
        'WorkItems_Delete',
        'WorkItems',
        'Permanently remove a work item',
      ),
    },
    list(
      `${project}/items/{itemId}/comments`,
      'comments',
      'Comment',
      'Comments_ListForWorkItem',
      'Retrieve the discussion of a work item',
    ),
    {
      ...operation(
        'POST',
        `${project}/items/{itemId}/comments`,
        'Comments_Create',
        'Comments',
        'Contribute to the discussion of a work item',
      ),
      body: object({ 'body!': text('What the comment says, in Markdown.') }),
      reply: ref('Comment'),
      handle: ({ state, path, body }) =>
        add(state.comments, {
          id: 'cmt-1',
          itemId: path.itemId,
          text: body.body,
          createdAt: '2026-11-19T12:00:00Z',
        }),
    },
    list(
      `${project}/milestones`,
      'milestones',
      'Milestone',
      'Milestones_ListForProject',
      'Retrieve the milestones of a project',
    ),
    {
      ...operation(
        'POST',
        `${project}/milestones`,
        'Milestones_Create',
        'Milestones',
        'Create a new milestone in a project',
      ),
      body: object({
        'name!': text(),
        dueOn: text('The day on which the milestone is due', { format: 'date' }),
      }),
      reply: ref('Milestone'),
      handle: ({ state, path, body }) =>
        add(state.milestones, { id: 'mst-new', projectId: path.projectId, ...body, closed: false }),
    },
    {
      ...operation(
        'PATCH',
        `${project}/milestones/{milestoneId}`,
        'Milestones_Update',
        'Milestones',
        'Modify one or more properties of a milestone',
      ),
      body: object({
        name: text(),
        dueOn: text(undefined, { format: 'date' }),
        closed: boolean('Whether the milestone is closed. Closed milestones no longer accept work items.'),
      }),
      reply: ref('Milestone'),
      handle: ({ state, path, body }) => change(state.milestones, path.milestoneId, body),
    },
    list(
      `${project}/items/{itemId}/time-entries`,
      'timeEntries',
      'TimeEntry',
      'TimeEntries_ListForWorkItem',
      'Retrieve the time that was recorded for a work item',
    ),
    {
      ...operation(
        'POST',
        `${project}/items/{itemId}/time-entries`,
        'TimeEntries_Create',
        'TimeEntries',
        'Record time for a work item',
      ),
      body: object({
        'minutes!': integer('The duration in minutes.', { minimum: 1 }),
        'spentOn!': text('The day on which the work was done.', { format: 'date' }),
        remark: text(),
      }),
      reply: ref('TimeEntry'),
      handle: ({ state, path, body }) =>
        add(state.timeEntries, { id: 'tme-1', itemId: path.itemId, ...body }),
    },
    {
      ...operation(
        'GET',
        `${workspace}/audit-log`,
        'AuditLog_List',
        'AuditLog',
        'Retrieve the audit log of a workspace',
      ),
      reply: listOf(object({ actor: text(), action: text() })),
    },
  ],
  seed: lumenData,
};

function operation(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  id: string,
  tag: string,
  summary: string,
) {
  return { method, path, id, tag, summary, parameters: [version] } as const satisfies Partial<
    FakeService['operations'][number]
  >;
}

function list(
  path: string,
  collection: string,
  schema: string,
  id: string,
  summary: string,
  filters: Item[] = [],
): FakeService['operations'][number] {
  const [tag = ''] = id.split('_');
  return {
    ...operation('GET', path, id, tag, summary),
    description: `${summary}. The response is paginated. Follow the Link header with the relation type next until there is none, and do not construct URLs of further pages yourself.`,
    parameters: [
      version,
      ...filters,
      query(
        'page',
        integer(undefined, { minimum: 1, default: 1 }),
        'The page of the response, starting with 1.',
      ),
      query(
        'pageSize',
        integer(undefined, { minimum: 1, maximum: 100, default: 25 }),
        'The number of resources on each page.',
      ),
    ],
    reply: listOf(ref(schema)),
    handle: ({ state, path: ids, query: { page = '1', pageSize = '25', ...wanted }, url }) => {
      const all = (state[collection] ?? []).filter(
        (item) =>
          isBelow(item, ids) && Object.entries(wanted).every(([name, value]) => has(item, name, value)),
      );
      const [number, size] = [Number(page), Number(pageSize)];
      const next = new URL(url);
      next.searchParams.set('page', String(number + 1));
      const links: Record<string, string> =
        number * size < all.length ? { link: `<${next.pathname}${next.search}>; rel="next"` } : {};
      return { body: all.slice((number - 1) * size, number * size), headers: links };
    },
  };
}

function isBelow(item: Item, ids: Record<string, string>): boolean {
  return Object.entries(ids).every(([name, value]) => item[name] === undefined || item[name] === value);
}

function has(item: Item, name: string, value: string): boolean {
  return name === 'label' ? (item.labels as string[]).includes(value) : String(item[name]) === value;
}

function one(
  path: string,
  collection: string,
  schema: string,
  id: string,
  summary: string,
): FakeService['operations'][number] {
  return {
    ...operation('GET', path, id, id.split('_')[0] ?? '', summary),
    reply: ref(schema),
    handle: ({ state, path: ids }) => {
      const wanted = Object.values(ids).at(-1);
      const found = state[collection]?.find((item) => item.id === wanted);
      return found ? { body: found } : missing(wanted);
    },
  };
}

function createItem({ state, path, body }: Call): Reply {
  if (!state.projects?.some(({ id }) => id === path.projectId)) return missing(path.projectId);
  const assignee = body.assigneeId;
  if (assignee !== undefined && !state.members?.some(({ id }) => id === assignee))
    return problem(422, `assigneeId must be the identifier of a member, but is ${assignee}.`);
  const number = 1 + (state.workItems ?? []).filter(({ projectId }) => projectId === path.projectId).length;
  return add(state.workItems, {
    id: `itm-new-${number}`,
    number,
    projectId: path.projectId,
    state: 'backlog',
    ...body,
  });
}

function change(items: Item[] | undefined, wanted: string | undefined, body: Item): Reply {
  const found = items?.find(({ id }) => id === wanted);
  if (!found) return missing(wanted);
  Object.assign(found, body);
  return { body: found };
}

function add(items: Item[] | undefined, item: Item): Reply {
  items?.push(item);
  return { status: 201, body: item };
}

function missing(id: string | undefined): Reply {
  return problem(404, `There is no resource with the identifier ${id} in this context.`);
}

function problem(status: number, detail: string): Reply {
  return { status, body: { type: 'about:blank', title: 'Request failed', status, detail } };
}
