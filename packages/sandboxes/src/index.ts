export { type Confinement, probeConfinement } from './quickjs/child-process/confinement.ts';
export { hidePaths } from './quickjs/child-process/hide-paths.ts';
export { defaultLimits } from './quickjs/limits.ts';
export type { QuickJsSandboxOptions } from './quickjs/options.ts';
export { hashInput } from './quickjs/run/hash-input.ts';
export { createQuickJsSandbox, type QuickJsSandbox } from './quickjs/sandbox.ts';
