import type { NewSource, Principal, SourceChange } from '@executor/protocol';
import { describe, expect, test } from 'vitest';
import type { SourceRow } from '../../ports/source-store.ts';
import type { Initiator } from '../initiator.ts';
import { provenanceAfter, settingsAfter } from '../source-change.ts';
import { settingsOf } from '../source-request.ts';
import {
  changesReach,
  mayReachPrivateNetwork,
  type NetworkReach,
  reachAfterReading,
  reachProvenance,
  settingsWithReach,
} from './network-reach.ts';

const principal = { kind: 'person', workspaceId: 'ws_1', actorId: 'act_1' } as Principal;
const actors = {
  user: { principal },
  configuration: { principal, system: true },
  agent: { principal, executionId: 'exe_1' },
} satisfies Record<string, Initiator>;
const urls = {
  none: undefined,
  public: 'https://api.acme.test/v1',
  machine: 'http://localhost:4000/v1',
  private: 'http://10.0.0.7/v1',
  linkLocal: 'http://169.254.169.254/v1',
};
const decisions = { allow: true, refuse: false, nothing: undefined };

type Location = keyof typeof urls;
/** How the description of the source got here: fetched from a URL at a location, or handed over as a file or text. */
type Origin = Exclude<Location, 'none'> | 'handedOver';

interface Case {
  decision: keyof typeof decisions;
  origin: Origin;
  typedBase: Location;
  actor: keyof typeof actors;
  documentBase: Location;
}

const locations = Object.keys(urls) as Location[];
const cases: Case[] = Object.keys(decisions).flatMap((decision) =>
  [...locations.slice(1), 'handedOver'].flatMap((origin) =>
    locations.flatMap((typedBase) =>
      Object.keys(actors).flatMap((actor) =>
        locations.map((documentBase) => ({ decision, origin, typedBase, actor, documentBase }) as Case),
      ),
    ),
  ),
);

type Row = { [Column in keyof Case]?: Case[Column][] } & { reach: NetworkReach };
const near: Location[] = ['machine', 'private'];
const far: Location[] = ['public', 'linkLocal'];
const trusted: Case['actor'][] = ['user', 'configuration'];
const nothing: Case['decision'][] = ['nothing'];

/** The table at the head of network-reach.ts. A column that is left out matches everything. */
const table: Row[] = [
  { decision: ['allow'], reach: 'private' },
  { decision: ['refuse'], reach: 'public' },
  { decision: nothing, origin: near as Origin[], reach: 'private' },
  { decision: nothing, origin: [...(far as Origin[]), 'handedOver'], typedBase: near, reach: 'private' },
  { decision: nothing, origin: [...(far as Origin[]), 'handedOver'], typedBase: far, reach: 'public' },
  {
    decision: nothing,
    origin: ['handedOver'],
    typedBase: ['none'],
    actor: trusted,
    documentBase: ['machine'],
    reach: 'machine',
  },
  {
    decision: nothing,
    origin: ['handedOver'],
    typedBase: ['none'],
    actor: trusted,
    documentBase: ['none', 'public', 'private', 'linkLocal'],
    reach: 'public',
  },
  { decision: nothing, origin: ['handedOver'], typedBase: ['none'], actor: ['agent'], reach: 'public' },
  { decision: nothing, origin: far as Origin[], typedBase: ['none'], reach: 'public' },
];

function matches({ reach: _, ...columns }: Row, one: Case): boolean {
  return Object.entries(columns).every(([column, values]) =>
    (values as string[]).includes(one[column as keyof Case]),
  );
}

function requestOf({ decision, origin, typedBase }: Case): NewSource {
  const allowPrivateNetwork = decisions[decision];
  const baseUrl = urls[typedBase];
  return {
    ...(origin === 'handedOver' ? { document: '{}' } : { url: urls[origin] as string }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(allowPrivateNetwork !== undefined && { allowPrivateNetwork }),
  };
}

function add(one: Case): Pick<SourceRow, 'provenance' | 'settings' | 'baseUrl'> {
  const request = requestOf(one);
  const provenance = reachProvenance(actors[one.actor], request);
  const baseUrl = urls[one.documentBase] ?? null;
  return {
    provenance,
    baseUrl,
    settings: settingsWithReach({ provenance, settings: settingsOf(request), baseUrl }),
  };
}

function reachIn({ allowPrivateNetwork, allowThisMachine }: SourceRow['settings']): NetworkReach {
  expect(allowPrivateNetwork && allowThisMachine).not.toBe(true);
  if (allowPrivateNetwork) return 'private';
  return allowThisMachine ? 'machine' : 'public';
}

describe('A new source', () => {
  test.each(table.map((row) => [JSON.stringify(row), row] as const))('has the reach of %s', (_, row) => {
    const matching = cases.filter((one) => matches(row, one));
    expect(matching.length).toBeGreaterThan(0);
    for (const one of matching) {
      expect({ ...one, reach: reachIn(add(one).settings) }).toEqual({ ...one, reach: row.reach });
      // The decision before the document is read holds afterwards.
      expect(mayReachPrivateNetwork(requestOf(one))).toBe(row.reach === 'private');
    }
  });

  test('matches exactly one row of the table', () => {
    expect(cases.filter((one) => table.filter((row) => matches(row, one)).length !== 1)).toEqual([]);
  });
});

describe('A change', () => {
  const handedOver: Case = {
    decision: 'nothing',
    origin: 'handedOver',
    typedBase: 'none',
    actor: 'user',
    documentBase: 'machine',
  };
  const after = (one: Case, ...changes: SourceChange[]) => {
    let row = add(one) as SourceRow;
    for (const change of changes) {
      const provenance = provenanceAfter(row.provenance, change);
      row = { ...row, provenance, settings: settingsAfter(row, change, provenance) };
    }
    return reachIn(row.settings);
  };
  const fetched: Case = { ...handedOver, origin: 'public', documentBase: 'machine' };

  test.each<[string, Case, SourceChange[], NetworkReach]>([
    ['of the name keeps the reach', handedOver, [{ name: 'Other' }], 'machine'],
    ['to a public base URL', handedOver, [{ baseUrl: urls.public }], 'public'],
    ['to a private base URL', handedOver, [{ baseUrl: urls.private }], 'private'],
    [
      'back to the base URL of the document',
      handedOver,
      [{ baseUrl: urls.private }, { baseUrl: null }],
      'machine',
    ],
    ['to a public URL', handedOver, [{ url: urls.public }], 'public'],
    ['to a private URL', fetched, [{ url: urls.private }], 'private'],
    ['to allow', fetched, [{ allowPrivateNetwork: true }], 'private'],
    ['to refuse', handedOver, [{ allowPrivateNetwork: false }], 'public'],
    [
      'of the base URL after allow',
      fetched,
      [{ allowPrivateNetwork: true }, { baseUrl: urls.public }],
      'private',
    ],
    [
      'that withdraws allow',
      handedOver,
      [{ allowPrivateNetwork: true }, { allowPrivateNetwork: null }],
      'machine',
    ],
    [
      'that withdraws refuse',
      fetched,
      [{ allowPrivateNetwork: false }, { allowPrivateNetwork: null }],
      'public',
    ],
  ])('%s', (_, one, changes, reach) => {
    expect(after(one, ...changes)).toBe(reach);
  });

  test('can alter the reach only if it names an address, the document or a decision', () => {
    expect(changesReach({ name: 'Other', timeoutMs: 1, headers: {} })).toBe(false);
    for (const change of [{ url: 'x' }, { baseUrl: null }, { document: '' }, { allowPrivateNetwork: null }])
      expect(changesReach(change)).toBe(true);
  });
});

describe('A document that is read again', () => {
  const row = (
    documentBase: Location,
    options: { handedOver?: true; hadMachine?: true; decided?: true } = {},
  ) => ({
    provenance: {
      ...(options.handedOver && { handedOver: true as const }),
      ...(options.decided && { privateNetwork: true as const }),
    },
    settings: { allowPrivateNetwork: false, ...(options.hadMachine && { allowThisMachine: true }) },
    baseUrl: urls[documentBase] ?? null,
  });

  test.each<[keyof typeof actors, Parameters<typeof row>, string | undefined, NetworkReach]>([
    ['user', ['machine', {}], '{}', 'machine'],
    ['user', ['machine', { decided: true }], '{}', 'public'],
    ['user', ['private', {}], '{}', 'public'],
    ['user', ['machine', {}], undefined, 'public'],
    ['user', ['machine', { handedOver: true }], undefined, 'machine'],
    ['configuration', ['machine', {}], '{}', 'machine'],
    ['agent', ['machine', {}], '{}', 'public'],
    ['agent', ['machine', { handedOver: true }], undefined, 'public'],
    ['agent', ['machine', { hadMachine: true }], undefined, 'machine'],
    ['agent', ['public', { hadMachine: true }], undefined, 'public'],
  ])('by the %s, with %j and document %j, gives %s', (actor, before, document, reach) => {
    expect(reachIn(reachAfterReading(actors[actor], row(...before), document).settings)).toBe(reach);
  });

  test('keeps the stored decision about private networks', () => {
    const settings = { url: urls.public, allowPrivateNetwork: true };
    const read = reachAfterReading(actors.user, { provenance: {}, settings, baseUrl: null }, undefined);
    expect(read).toEqual({ provenance: {}, settings });
  });
});
