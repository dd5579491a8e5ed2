#!/usr/bin/env node
import { existsSync } from 'node:fs';

const program = new URL('../dist/main.js', import.meta.url);
if (!existsSync(program)) {
  console.error('Executor is not built yet: run `npm run build` first.');
  process.exit(1);
}
await import(program.href);
