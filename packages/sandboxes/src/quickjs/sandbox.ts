import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Compilation, Sandbox, SandboxHooks, SandboxOutcome, SandboxRequest } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { type Confinement, probeConfinement } from './child-process/confinement.ts';
import { CompilerPool } from './compiler-pool/compiler-pool.ts';
import { tooLong } from './limits.ts';
import { type QuickJsSandboxOptions, resolveOptions } from './options.ts';
import { Pool } from './pool/pool.ts';

export interface QuickJsSandbox extends Sandbox {
  readonly confinement: Confinement;
  /** Starts processes before the first run needs them. */
  warmUp(): void;
  stats(): ReturnType<Pool['stats']>;
  /** Cancels all runs and ends all processes. */
  close(): void;
}

/** QuickJS in WebAssembly, in child processes. No process starts before it is used. */
export async function createQuickJsSandbox(options: QuickJsSandboxOptions): Promise<QuickJsSandbox> {
  const build = await nameBuild(options.folder);
  const confinement = options.confinement ?? (await probeConfinement());
  const resolved = resolveOptions(options);
  const pool = new Pool(confinement, resolved);
  const compiler = new CompilerPool(confinement, resolved);
  return {
    runtimeId: 'quickjs',
    build,
    confinement,
    compile: (source, signal) => compileWithin(compiler, source, { bytes: resolved.sourceBytes, signal }),
    run: (request, hooks, signal) => pool.run(checkRequest(request), hooks, signal),
    stats: () => pool.stats(),
    warmUp() {
      pool.warmUp();
      compiler.warmUp();
    },
    close() {
      pool.close();
      compiler.close();
    },
  } satisfies QuickJsSandbox & {
    run(request: SandboxRequest, hooks: SandboxHooks, signal?: AbortSignal): Promise<SandboxOutcome>;
  };
}

/** Names the build by a hash of everything that decides what code does, including Node's tables for formatting. */
async function nameBuild(folder: string): Promise<string> {
  const hash = createHash('sha256')
    .update(process.versions.icu ?? '')
    .update(process.versions.unicode ?? '');
  for (const file of ['quickjs.wasm', 'image.bin', 'lane.cjs']) {
    const path = join(folder, file);
    const content = await readFile(path).catch((cause) => {
      throw new ExecutorError('internal', `The sandbox is not built: ${path} cannot be read.`, { cause });
    });
    hash.update(content);
  }
  return `quickjs-${hash.digest('hex').slice(0, 16)}`;
}

async function compileWithin(
  compiler: CompilerPool,
  source: string,
  allowed: { bytes: number; signal: AbortSignal | undefined },
): Promise<Compilation> {
  const error = tooLong(source, allowed.bytes);
  return error ? { type: 'rejected', error } : compiler.compile(source, allowed.signal);
}

function checkRequest(request: SandboxRequest): SandboxRequest {
  if (!Number.isFinite(request.epoch) || request.epoch < 0) {
    throw new ExecutorError(
      'invalidRequest',
      `epoch must be a number of milliseconds; got ${request.epoch}.`,
    );
  }
  return request;
}
