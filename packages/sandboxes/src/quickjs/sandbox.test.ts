import { builtFolder } from '../../test/built-folder.ts';
import { describeSandbox } from '../sandbox.suite.ts';
import { createQuickJsSandbox } from './sandbox.ts';

describeSandbox('quickjs', () => createQuickJsSandbox({ folder: builtFolder }));
