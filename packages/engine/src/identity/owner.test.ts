import type { Principal } from '@executor/protocol';
import { expect, test } from 'vitest';
import { actAsAgent } from './authenticate.ts';
import { oauthAgent } from './oauth-agent.ts';
import { ownerOf, principalOfRun } from './owner.ts';

const place = { workspaceId: 'ws_1', actorId: 'act_1' };
const person: Principal = { kind: 'person', credential: 'localToken', ...place };
const personKey: Principal = { kind: 'person', credential: 'apiKey', apiKeyId: 'key_p', ...place };
const agentKey: Principal = { kind: 'agent', credential: 'apiKey', apiKeyId: 'key_a', ...place };
const identity = { issuer: 'https://login.example', subject: 'ada', clientId: 'inspector' };
const oauth = oauthAgent(place, identity);

test('A credential owns different runs as an agent and as a person', () => {
  expect([person, personKey, agentKey].map(ownerOf)).toEqual(['act_1', 'act_1', 'key_a']);
  expect([person, personKey, agentKey].map(actAsAgent).map(ownerOf)).toEqual([
    'agents-of-act_1',
    'key_p',
    'key_a',
  ]);
});

test('A token belongs to an agent, and each client of each subject owns its runs', () => {
  expect(oauth).toEqual({ kind: 'agent', credential: 'oauth', ...place, oauthId: ownerOf(oauth) });
  const others = [
    { ...identity, clientId: 'another' },
    { ...identity, subject: 'eve' },
    { ...identity, issuer: 'https://other.example' },
    { ...identity, subject: 'adainspector', clientId: '' },
    { ...identity, subject: 'ada","inspector', clientId: '' },
  ].map((other) => ownerOf(oauthAgent(place, other)));
  expect(new Set([ownerOf(oauth), ...others]).size).toBe(6);
  expect(ownerOf(oauthAgent(place, { ...identity }))).toBe(ownerOf(oauth));
});

test('The owner of a run can be derived from its row', () => {
  for (const principal of [person, personKey, agentKey, oauth, actAsAgent(person), actAsAgent(personKey)]) {
    const ownerId = ownerOf(principal);
    const again = principalOfRun({ ...place, principalKind: principal.kind, ownerId });
    expect({ kind: again.kind, ownerId: ownerOf(again) }).toEqual({ kind: principal.kind, ownerId });
  }
});
