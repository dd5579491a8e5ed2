export { openStore, type StoreAssets } from './open-store.ts';
export { type DatabaseProbe, probeDatabase } from './probe.ts';
