import manifest from '../package.json' with { type: 'json' };

export const version = manifest.version;

/** Put in by the build (scripts/build.ts); a program that was not built is as old as it is now. */
declare const EXECUTOR_BUILT_AT: string | undefined;
export const builtAt = new Date(typeof EXECUTOR_BUILT_AT === 'string' ? EXECUTOR_BUILT_AT : Date.now());
