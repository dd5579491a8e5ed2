import type { Principal } from '@executor/protocol';
import { expect, test } from 'vitest';
import { onlyPerson } from './only-person.ts';

const person: Principal = { kind: 'person', credential: 'localToken', workspaceId: 'ws', actorId: 'act' };

test('an agent is refused with what only a person can do', () => {
  expect(() => onlyPerson(person, 'change the rules')).not.toThrow();
  expect(() => onlyPerson({ ...person, kind: 'agent' }, 'change the rules')).toThrow(
    expect.objectContaining({
      code: 'forbidden',
      message: 'Only a person can change the rules; this request is an agent’s.',
    }),
  );
});
