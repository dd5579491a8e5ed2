export { type Confinement, probeConfinement } from './quickjs/child-process/confinement.ts';
export { defaultLimits } from './quickjs/limits.ts';
export type { QuickJsSandboxOptions } from './quickjs/options.ts';
export { hashInput } from './quickjs/run/hash-input.ts';
export { createQuickJsSandbox, type QuickJsSandbox } from './quickjs/sandbox.ts';
