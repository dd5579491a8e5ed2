import { builtFolder } from '../../test/built-folder.ts';
import { describeSandbox } from '../sandbox.suite.ts';
import { createQuickJsSandbox } from './sandbox.ts';

describeSandbox('quickjs, confined as well as this machine can', () =>
  createQuickJsSandbox({ folder: builtFolder }),
);

/** The confinement of machines without bubblewrap. */
const permissions = { kind: 'permissions', detail: 'as the test wants it' } as const;
describeSandbox("quickjs, confined by Node's permissions alone", () =>
  createQuickJsSandbox({ folder: builtFolder, confinement: permissions }),
);
