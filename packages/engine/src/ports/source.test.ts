import { afterAll, beforeAll } from 'vitest';
import { borrowTestPglite, type TestStore } from '../../../store/test/test-database.ts';
import { indexTools, discovery as ranking } from '../../test/index-tools.ts';
import { knownTools } from '../../test/known-tools.ts';
import { NotesSource } from '../../test/notes-source.ts';
import { Artifacts } from '../artifact/artifacts.ts';
import { Catalog } from '../catalog/catalog.ts';
import { ToolDescriptions } from '../catalog/description/tool-descriptions.ts';
import { SourceIndexes } from '../catalog/discovery/source-indexes.ts';
import { ToolFinder } from '../catalog/discovery/tool-finder.ts';
import { executorSource } from '../catalog/executor/executor-source.ts';
import { samePrintThread, ToolPrinter } from '../catalog/signature/tool-printer.ts';
import { systemClock } from '../clock.ts';
import { localJsonReader } from '../json/local-json-reader.ts';
import { Policies } from '../policy/policies.ts';
import { StoredQuotas } from '../resource/stored-quotas.ts';
import { Sources } from '../source/sources.ts';
import { InputValidator } from '../validation/input-validator.ts';
import { describeSource } from './source.suite.ts';

let opened: TestStore;
beforeAll(async () => {
  opened = await borrowTestPglite();
});
afterAll(() => opened.close());

describeSource('for notes', {
  open: async () => new NotesSource(),
  namespace: 'notes',
  settings: {},
  works: { path: 'notes.list', input: {} },
  refused: { path: 'notes.fail', input: {} },
  endless: { path: 'notes.hang', input: {} },
});

describeSource('for Executor itself', {
  async open() {
    const { store } = opened;
    const now = () => new Date();
    const policies = new Policies({
      store,
      now,
      validator: new InputValidator(),
      tools: knownTools(),
    });
    const catalog = new Catalog({ store, kinds: [], now });
    const sources = new Sources({
      store,
      catalog,
      kinds: [],
      policies,
      now,
      clock: systemClock,
      onProblem() {},
    });
    const indexes = new SourceIndexes({
      discovery: ranking,
      indexer: { index: indexTools },
      onProblem: () => {},
    });
    const printer = new ToolPrinter(samePrintThread);
    const discovery = new ToolFinder({ catalog, policies, discovery: ranking, indexes, printer });
    const descriptions = new ToolDescriptions({ catalog, policies, discovery, printer });
    return executorSource({
      store,
      policies,
      sources,
      descriptions,
      discovery,
      artifacts: new Artifacts({ store, now, quotas: new StoredQuotas({ store, clock: systemClock }) }),
      jsonReader: localJsonReader,
    });
  },
  namespace: 'executor',
  settings: {},
  works: { path: 'executor.artifacts.put', input: { text: 'kept' } },
  refused: { path: 'executor.artifacts.read', input: { id: 'art_none', offset: 0, length: 1, as: 'text' } },
});
