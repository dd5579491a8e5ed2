import { fileURLToPath } from 'node:url';
import { buildStoreAssets } from '../packages/store/build.ts';
import { buildProduct } from './build.ts';

/** Runs once before all tests: builds what they start as a program. */
export default async function setup(): Promise<void> {
  await buildStoreAssets(fileURLToPath(new URL('../packages/store/dist', import.meta.url)));
  await buildProduct();
}
