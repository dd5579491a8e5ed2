import { openTestPglite, openTestPostgres } from '../test/test-database.ts';
import { describeStore } from './store.suite.ts';

describeStore('PGlite', openTestPglite);
describeStore('Postgres', openTestPostgres);
