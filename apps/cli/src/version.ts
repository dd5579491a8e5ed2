import manifest from '../package.json' with { type: 'json' };

export const version = manifest.version;

/** The build (scripts/build.ts) defines it. A program that was not built counts as built now. */
declare const EXECUTOR_BUILT_AT: string | undefined;
export const builtAt = new Date(typeof EXECUTOR_BUILT_AT === 'string' ? EXECUTOR_BUILT_AT : Date.now());
