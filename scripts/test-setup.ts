import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { buildStoreAssets } from '../packages/store/build.ts';
import { buildProduct } from './build.ts';
import { ensureBrowser } from './setup-browser.ts';

/** Runs once before all tests: builds what they start as a program. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('chromium', await ensureBrowser());
  await buildStoreAssets(fileURLToPath(new URL('../packages/store/dist', import.meta.url)));
  await buildProduct();
}
