import type { Call, FakeService, Item, Reply } from './fake-service.ts';
import { cycle, day, numbers, padded } from './people.ts';
import { boolean, choice, integer, listOf, object, query, ref, text } from './schema.ts';

const zones = ['eu-north-1', 'us-east-2', 'ap-south-1'];

/** A cloud: camelCase, page tokens, custom methods after a colon, and long-running operations. */
export const nimbus: FakeService = {
  name: 'nimbus',
  info: {
    title: 'Nimbus Compute API',
    version: 'v1',
    description: 'Creates and runs instances on Nimbus Cloud.',
  },
  pathParameters: {
    instanceId: 'Resource id of the instance.',
    diskId: 'Resource id of the disk.',
    snapshotId: 'Resource id of the snapshot.',
    zoneId: 'Resource id of the managed DNS zone.',
    recordId: 'Resource id of the record.',
    ruleId: 'Resource id of the firewall rule.',
    operationId: 'Resource id of the operation.',
  },
  schemas: {
    Instance: object({
      id: text(),
      name: text(),
      zone: text(),
      machineType: text(),
      status: choice(['RUNNING', 'STOPPED']),
      internalIp: text(),
      labels: { type: 'object', additionalProperties: text() },
    }),
    Disk: object({ id: text(), name: text(), sizeGb: integer(), instanceId: text() }),
    Snapshot: object({
      id: text(),
      diskId: text(),
      description: text(),
      createdAt: text(undefined, { format: 'date-time' }),
      sizeGb: integer(),
    }),
    ManagedZone: object({ id: text(), name: text(), dnsName: text() }),
    DnsRecord: object({
      id: text(),
      zoneId: text(),
      name: text(),
      type: text(),
      ttl: integer(),
      data: text(),
    }),
    FirewallRule: object({
      id: text(),
      name: text(),
      direction: text(),
      sourceRanges: listOf(text()),
      disabled: boolean(),
    }),
    Operation: object({ id: text(), kind: text(), targetId: text(), status: choice(['PENDING', 'DONE']) }),
  },
  operations: [
    list(
      'instances',
      'instances',
      'Instance',
      'Retrieves the list of instances contained within the project.',
      [query('zone', text(), 'Only instances of this zone.')],
    ),
    one('instances', 'instanceId', 'Instance', 'Returns the specified Instance resource.'),
    ...['start', 'stop', 'restart', 'suspend'].map((kind) => action(kind)),
    {
      ...{ method: 'DELETE', path: '/v1/instances/{instanceId}', id: 'instances.delete', tag: 'instances' },
      summary: 'Deletes the specified Instance resource.',
      reply: ref('Operation'),
      handle: ({ state, path }) => start(state.operations, state.instances, 'delete', path.instanceId),
    },
    {
      ...{
        method: 'POST',
        path: '/v1/instances/{instanceId}:setLabels',
        id: 'instances.setLabels',
        tag: 'instances',
      },
      summary: 'Sets labels on an instance.',
      body: object({ 'labels!': { type: 'object', additionalProperties: text() } }),
      reply: ref('Operation'),
    },
    {
      ...{
        method: 'POST',
        path: '/v1/instances/{instanceId}:resize',
        id: 'instances.resize',
        tag: 'instances',
      },
      summary: 'Changes the machine type of a stopped instance.',
      body: object({ 'machineType!': text() }),
      reply: ref('Operation'),
    },
    list('disks', 'disks', 'Disk', 'Retrieves a list of persistent disks.', []),
    {
      ...{
        method: 'POST',
        path: '/v1/disks/{diskId}:createSnapshot',
        id: 'disks.createSnapshot',
        tag: 'disks',
      },
      summary: 'Creates a snapshot of a specified persistent disk.',
      body: object({
        description: text('An optional description of this resource.'),
        labels: { type: 'object' },
      }),
      reply: ref('Snapshot'),
      handle: ({ state, path, body }) => {
        if (!state.disks?.some(({ id }) => id === path.diskId)) return missing(path.diskId);
        return add(state.snapshots, {
          id: 's-new',
          diskId: path.diskId,
          ...body,
          createdAt: '2026-11-19T12:00:00Z',
          sizeGb: 10,
        });
      },
    },
    list(
      'snapshots',
      'snapshots',
      'Snapshot',
      'Retrieves the list of Snapshot resources contained within the project.',
      [],
    ),
    {
      ...{ method: 'DELETE', path: '/v1/snapshots/{snapshotId}', id: 'snapshots.delete', tag: 'snapshots' },
      summary: 'Deletes the specified Snapshot resource.',
      description: 'Deleting a snapshot removes its data permanently and is irreversible.',
      handle: ({ state, path }) => remove(state.snapshots, path.snapshotId),
    },
    list('dnsZones', 'zones', 'ManagedZone', 'Enumerates the managed zones of the project.', []),
    {
      ...listed('dnsZones/{zoneId}/records', 'dnsRecords.list', 'dnsRecords'),
      summary: 'Enumerates the records of a managed zone.',
      reply: object({ records: listOf(ref('DnsRecord')), nextPageToken: text() }),
    },
    {
      ...{
        method: 'POST',
        path: '/v1/dnsZones/{zoneId}/records',
        id: 'dnsRecords.create',
        tag: 'dnsRecords',
      },
      summary: 'Creates a record in a managed zone.',
      body: object({
        'name!': text('For example, www.example.com'),
        'type!': choice(['A', 'AAAA', 'CNAME', 'MX', 'TXT']),
        'ttl!': integer('Number of seconds that the record can be cached by resolvers.', { minimum: 60 }),
        'data!': text('The value of the record, as defined in RFC 1035'),
      }),
      reply: ref('DnsRecord'),
      handle: ({ state, path, body }) => {
        if (!state.zones?.some(({ id }) => id === path.zoneId)) return missing(path.zoneId);
        return add(state.dnsRecords, { id: 'r-new', zoneId: path.zoneId, ...body });
      },
    },
    list(
      'firewallRules',
      'firewallRules',
      'FirewallRule',
      'Retrieves the list of firewall rules available to the project.',
      [],
    ),
    {
      ...{
        method: 'PATCH',
        path: '/v1/firewallRules/{ruleId}',
        id: 'firewallRules.patch',
        tag: 'firewallRules',
      },
      summary: 'Updates the specified firewall rule with the data included in the request.',
      body: object({
        sourceRanges: listOf(text()),
        disabled: boolean('Whether the rule is not enforced'),
        description: text(),
      }),
      reply: ref('FirewallRule'),
      handle: ({ state, path, body }) => {
        const found = state.firewallRules?.find(({ id }) => id === path.ruleId);
        if (!found) return missing(path.ruleId);
        Object.assign(found, body);
        return { body: found };
      },
    },
    one('operations', 'operationId', 'Operation', 'Retrieves the specified Operations resource.'),
    {
      ...{
        method: 'GET',
        path: '/v1/billing/usage',
        id: 'billing.usage',
        tag: 'billing',
        summary: 'Returns the usage of the current month.',
      },
      reply: object({ costs: listOf(object({ service: text(), amount: text() })) }),
    },
  ],
  seed: () => ({
    instances: numbers(34).map(instance),
    disks: numbers(30).map((number) => {
      return {
        id: `d-${padded(number, 4)}`,
        name: `data-${padded(number, 2)}`,
        sizeGb: 10 * number,
        instanceId: `i-${padded(number, 4)}`,
      };
    }),
    snapshots: numbers(26).map((number) => {
      const createdAt = `${day(number % 3 === 0 || number === 25 ? -10 * number : 10 * number)}T06:00:00Z`;
      return {
        id: `s-${padded(number, 4)}`,
        diskId: `d-${padded(number, 4)}`,
        description: 'nightly',
        createdAt,
        sizeGb: number,
      };
    }),
    zones: ['example-com', 'example-dev', 'example-org'].map((name, index) => {
      return { id: `z-${index + 1}`, name, dnsName: `${name.replace('-', '.')}.` };
    }),
    dnsRecords: [
      { id: 'r-1', zoneId: 'z-2', name: 'www.example.dev', type: 'A', ttl: 3600, data: '203.0.113.5' },
    ],
    firewallRules: numbers(14).map((number) => {
      const name =
        number === 13
          ? 'allow-legacy-ftp'
          : `allow-${cycle(['http', 'ssh', 'dns', 'smtp'], number)}-${number}`;
      return { id: `fw-${number}`, name, direction: 'INGRESS', sourceRanges: ['0.0.0.0/0'], disabled: false };
    }),
    operations: [],
  }),
  notFound: {
    error: { code: 404, message: 'The requested URL was not found on this server.', status: 'NOT_FOUND' },
  },
};

function instance(number: number): Item {
  const [group, first] =
    number <= 14 ? ['web', 0] : number <= 20 ? ['api', 14] : number <= 25 ? ['db', 20] : ['batch', 25];
  const isStopped = number % 5 === 0 || number === 28 || number === 34;
  return {
    id: `i-${padded(number, 4)}`,
    name: `${group}-${padded(number - Number(first), 2)}`,
    zone: cycle(zones, number),
    machineType: cycle(['n1-small', 'n1-large'], number),
    status: isStopped ? 'STOPPED' : 'RUNNING',
    internalIp: `10.0.0.${number}`,
    labels: { team: cycle(['core', 'growth'], number) },
  };
}

function listed(path: string, id: string, tag: string) {
  return {
    method: 'GET',
    path: `/v1/${path}`,
    id,
    tag,
    parameters: [
      query(
        'pageSize',
        integer(undefined, { default: 10, maximum: 50 }),
        'The maximum number of results per page.',
      ),
      query(
        'pageToken',
        text(),
        'Specifies a page token to use. Set pageToken to the nextPageToken returned by a previous list request to get the next page of results.',
      ),
    ] as Record<string, unknown>[],
  } as const;
}

function list(
  path: string,
  collection: string,
  schema: string,
  summary: string,
  filters: Item[],
): FakeService['operations'][number] {
  const { parameters, ...rest } = listed(path, `${path}.list`, path);
  return {
    ...rest,
    summary,
    parameters: [...filters, ...parameters],
    reply: object({ [path]: listOf(ref(schema)), nextPageToken: text('Empty on the last page') }),
    handle: ({ state, query: { pageSize = '10', pageToken, ...wanted } }) => {
      const all = (state[collection] ?? []).filter((item) =>
        Object.entries(wanted).every(([name, value]) => item[name] === value),
      );
      const from = pageToken ? Number(pageToken.slice(1)) : 0;
      const to = from + Number(pageSize);
      return { body: { [path]: all.slice(from, to), ...(to < all.length && { nextPageToken: `t${to}` }) } };
    },
  };
}

function one(
  collection: string,
  parameter: string,
  schema: string,
  summary: string,
): FakeService['operations'][number] {
  return {
    ...{
      method: 'GET',
      path: `/v1/${collection}/{${parameter}}`,
      id: `${collection}.get`,
      tag: collection,
      summary,
    },
    reply: ref(schema),
    handle: ({ state, path }) => {
      const found = state[collection]?.find(({ id }) => id === path[parameter]);
      return found ? { body: found } : missing(path[parameter]);
    },
  };
}

function action(kind: string): FakeService['operations'][number] {
  return {
    ...{
      method: 'POST',
      path: `/v1/instances/{instanceId}:${kind}`,
      id: `instances.${kind}`,
      tag: 'instances',
    },
    summary: `${kind[0]?.toUpperCase()}${kind.slice(1)}s an instance.`,
    description: 'Returns an operation. Poll the operation to learn when it is done.',
    reply: ref('Operation'),
    handle: ({ state, path }: Call) => start(state.operations, state.instances, kind, path.instanceId),
  };
}

function start(
  operations: Item[] | undefined,
  targets: Item[] | undefined,
  kind: string,
  targetId: string | undefined,
): Reply {
  if (!targets?.some(({ id }) => id === targetId)) return missing(targetId);
  return add(operations, { id: `op-${operations?.length}`, kind, targetId, status: 'PENDING' });
}

function add(items: Item[] | undefined, item: Item): Reply {
  items?.push(item);
  return { body: item };
}

function remove(items: Item[] | undefined, wanted: string | undefined): Reply {
  const index = items?.findIndex(({ id }) => id === wanted) ?? -1;
  if (index < 0) return missing(wanted);
  items?.splice(index, 1);
  return { status: 204 };
}

function missing(id: string | undefined): Reply {
  return {
    status: 404,
    body: { error: { code: 404, message: `The resource ${id} was not found`, status: 'NOT_FOUND' } },
  };
}
