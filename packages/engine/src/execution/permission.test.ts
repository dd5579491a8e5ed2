import { expect, test } from 'vitest';
import type { FoundTool } from '../catalog/catalog.ts';
import type { CallContext } from './call-context.ts';
import { obtainPermission } from './permission.ts';
import { bindingOf, type PreparedCall } from './prepare-call.ts';
import type { CallState } from './run-state.ts';

test('an approval is not spent on a request that was prepared before the one that was shown', async () => {
  const input = { text: 'x' };
  const found = (version: string) =>
    ({ tool: { path: 'acme.create', effect: 'write', version, origin: {} } }) as FoundTool;
  const prepared = (version: string) =>
    ({ ...found(version), input, binding: bindingOf(found(version), input) }) as PreparedCall;
  const asked = { kind: 'approval', binding: bindingOf(found('2'), input), id: 'int_1' };
  const withdrawn: string[] = [];
  const run = {
    caller: { workspaceId: 'w', actorId: 'a' },
    policies: { decide: async () => ({ decision: 'requireApproval', reason: '' }) },
    catalog: { seek: async () => found('2') },
    answerTo: async () => ({ type: 'answered', event: { action: 'approve' } }),
    record() {},
    withdraw: (_: number, { id }: { id: string }) => withdrawn.push(id),
  } as unknown as CallContext;
  const past = { asked: [asked] } as unknown as CallState;
  const permission = (version: string) =>
    obtainPermission(
      { index: 0, path: 'acme.create', input: '{}', inputHash: '' },
      prepared(version),
      past,
      run,
    );
  expect(await permission('1')).toEqual({ type: 'changed' });
  expect(await permission('2')).toEqual({ type: 'granted' });
  expect(withdrawn).toEqual([]);
});
