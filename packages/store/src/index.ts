export { openStore, type StoreAssets } from './open-store.ts';
export { withoutPassword } from './postgres/open.ts';
