import { expect, test } from 'vitest';
import type { FoundTool } from '../../catalog/catalog.ts';
import { JudgedInput } from '../../policy/judged-input.ts';
import type { JournalEvent } from '../../ports/journal-event.ts';
import type { CallState } from '../run/run-state.ts';
import type { CallContext } from './call-context.ts';
import { obtainPermission } from './permission.ts';
import { bindingOf, type PreparedCall } from './prepare-call.ts';

const input = { text: 'x' };
const judged = new JudgedInput({ input, alternatives: [] }, input);
const call = { index: 0, path: 'acme.create', input: '{}', inputHash: '' };

function found(version: string): FoundTool {
  const tool = { path: 'acme.create', effect: 'write', repeatable: false, version, origin: {} };
  return { tool } as FoundTool;
}

function prepared(version: string): PreparedCall {
  return { ...found(version), input, judged, binding: bindingOf(found(version), input) } as PreparedCall;
}

test('An approval does not apply to a request that was prepared before the one that was shown', async () => {
  const asked = { kind: 'approval', binding: bindingOf(found('2'), input), id: 'int_1' };
  const withdrawn: string[] = [];
  const run = {
    caller: { workspaceId: 'w', actorId: 'a' },
    policies: {
      complete: async () => judged,
      decide: async () => ({ decision: 'requireApproval', reason: '' }),
    },
    catalog: { seek: async () => found('2') },
    answerTo: async () => ({ type: 'answered', event: { action: 'approve' } }),
    state: { calls: [], identical: new Map() },
    record() {},
    withdraw: (_: number, { id }: { id: string }) => withdrawn.push(id),
  } as unknown as CallContext;
  const past = { asked: [asked] } as unknown as CallState;
  const permission = (version: string) => obtainPermission(call, prepared(version), past, run);
  expect(await permission('1')).toEqual({ type: 'changed' });
  expect(await permission('2')).toEqual({ type: 'granted' });
  expect(withdrawn).toEqual([]);
});

test('The decision of a rule just before the call is sent is in the journal, with the rule', async () => {
  const approved = { kind: 'approval', binding: prepared('1').binding, id: 'int_1' };
  const past = { asked: [approved], attempts: 0 } as unknown as CallState;
  const decided = async (...now: object[]) => {
    const events: JournalEvent[] = [];
    const run = {
      caller: { workspaceId: 'w', actorId: 'a' },
      policies: {
        complete: async () => judged,
        decide: async () => ({ reason: '', ...(now.length > 1 ? now.shift() : now[0]) }),
      },
      catalog: { seek: async () => found('1') },
      answerTo: async () => ({ type: 'answered', event: { action: 'approve' } }),
      state: { calls: [past], identical: new Map() },
      record: (event: JournalEvent) => {
        events.push(event);
        if (event.type === 'call.decided') past.decided = event;
      },
    } as unknown as CallContext;
    const { type } = await obtainPermission(call, prepared('1'), past, run);
    return [
      type,
      ...events.map((event) => event.type === 'call.decided' && [event.decision, event.policyId]),
    ];
  };
  const ask = { decision: 'requireApproval' };
  expect(await decided(ask, { decision: 'deny', policyId: 'pol_1' })).toEqual([
    'refused',
    ['requireApproval', undefined],
    ['deny', 'pol_1'],
  ]);
  // The same decision by another rule is journaled again. An approval by a reviewer stays the reason.
  expect(await decided(ask, { ...ask, policyId: 'pol_2' })).toEqual([
    'granted',
    ['requireApproval', undefined],
    ['requireApproval', 'pol_2'],
  ]);
  expect(await decided(ask, { decision: 'allow', policyId: 'pol_3' })).toEqual([
    'granted',
    ['requireApproval', undefined],
  ]);
});
