export { type Confinement, probeConfinement } from './quickjs/confinement.ts';
export { hashInput } from './quickjs/hash-input.ts';
export { defaultLimits } from './quickjs/limits.ts';
export type { QuickJsSandboxOptions } from './quickjs/options.ts';
export { createQuickJsSandbox, type QuickJsSandbox } from './quickjs/sandbox.ts';
