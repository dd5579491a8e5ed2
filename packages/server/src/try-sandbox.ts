import { type Confinement, createQuickJsSandbox } from '@executor/sandboxes';

export interface SandboxTrial {
  works: boolean;
  confinement?: Confinement['kind'];
  /** How its processes are isolated, or why it does not work. */
  detail: string;
}

/** Runs a line of code in the sandbox of this installation to check that it works. */
export async function trySandbox(folder: string): Promise<SandboxTrial> {
  try {
    const sandbox = await createQuickJsSandbox({ folder });
    try {
      const compilation = await sandbox.compile('return 6 * 7');
      if (compilation.type === 'rejected') return { works: false, detail: compilation.error.message };
      const request = { program: compilation.program, seed: 'doctor', epoch: 0 };
      const outcome = await sandbox.run(request, { onCall() {} }, AbortSignal.timeout(20_000));
      if (outcome.type !== 'returned') return { works: false, detail: `the run ended as ${outcome.type}` };
      const { kind, detail } = sandbox.confinement;
      return { works: true, confinement: kind, detail };
    } finally {
      sandbox.close();
    }
  } catch (error) {
    return { works: false, detail: (error as Error).message };
  }
}
