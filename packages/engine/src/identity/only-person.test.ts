import type { Principal } from '@executor/protocol';
import { expect, test } from 'vitest';
import { onlyPerson } from './only-person.ts';

const person: Principal = { kind: 'person', credential: 'localToken', workspaceId: 'ws', actorId: 'act' };

test('An agent is rejected with a sentence that names the action', () => {
  expect(() => onlyPerson(person, 'change the rules')).not.toThrow();
  expect(() => onlyPerson({ ...person, kind: 'agent' }, 'change the rules')).toThrow(
    expect.objectContaining({
      code: 'forbidden',
      message: 'Only a person can change the rules; this request is an agent’s.',
    }),
  );
});
