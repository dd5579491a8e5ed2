import { API } from 'typescript/unstable/async';
import { createVirtualFileSystem } from 'typescript/unstable/fs';

/** The errors of TypeScript in some files as `file:code text`: in their syntax, or in their types as well. */
export async function typeScriptErrors(
  files: Record<string, string>,
  { types = false } = {},
): Promise<string[]> {
  const named = Object.entries(files).map(([name, text]) => [`/check/${name}`, text] as const);
  const config = {
    compilerOptions: { target: 'ES2023', lib: ['ES2023'], types: [], noEmit: true, strict: false },
    files: named.map(([name]) => name),
  };
  const api = new API({
    cwd: '/check',
    fs: createVirtualFileSystem({
      ...Object.fromEntries(named),
      '/check/tsconfig.json': JSON.stringify(config),
    }),
  });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: ['/check/tsconfig.json'] });
    const program = snapshot.getProjects()[0]?.program;
    if (program === undefined) throw new Error('TypeScript has opened no project.');
    const diagnostics = await program.getSyntacticDiagnostics();
    const all = types ? [...diagnostics, ...(await program.getSemanticDiagnostics())] : diagnostics;
    return all.map(({ fileName, code, text, pos, messageChain }) => {
      const file = fileName?.replace('/check/', '') ?? '';
      const near = files[file]?.slice(Math.max(0, pos - 40), pos + 60);
      return `${file}:${code} ${text} ${messageChain?.map((one) => one.text).join(' ') ?? ''} near ${near}`;
    });
  } finally {
    await api.close();
  }
}
