#!/usr/bin/env node
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Executor needs Node 20.19 or newer, and this is ${process.version}.`);
  process.exit(1);
}
const program = new URL('../dist/main.js', import.meta.url);
if (!existsSync(program)) {
  console.error('Executor is not built yet: run `npm run build` first.');
  process.exit(1);
}
await import(program.href);
