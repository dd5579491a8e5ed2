export { type Confinement, probeConfinement } from './quickjs/child-process/confinement.ts';
export { hideFolders } from './quickjs/child-process/hide-folders.ts';
export { defaultLimits } from './quickjs/limits.ts';
export type { QuickJsSandboxOptions } from './quickjs/options.ts';
export { hashInput } from './quickjs/run/hash-input.ts';
export { createQuickJsSandbox, type QuickJsSandbox } from './quickjs/sandbox.ts';
