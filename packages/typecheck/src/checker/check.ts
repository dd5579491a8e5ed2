import type { TypeProblem } from '@executor/engine';
import { API, DiagnosticCategory, type Project, type Snapshot } from 'typescript/unstable/async';
import { callAt, type ToolCall } from './call-at.ts';
import { isCertain, type Said } from './certainty.ts';
import { codeFile, configFile, toolsFile, VirtualFiles } from './virtual-files.ts';

/** More than anybody mends at once. */
const mostProblems = 50;

/** TypeScript, kept open with one small project whose files are replaced for each check. */
export class Checker {
  readonly #files: VirtualFiles;
  readonly #api: API;
  #snapshot: Snapshot | undefined;

  constructor(globals: string) {
    this.#files = new VirtualFiles(globals);
    this.#api = new API({ cwd: '/', fs: this.#files.fileSystem() });
  }

  async check(code: string, declarations: string): Promise<TypeProblem[]> {
    this.#files.set(code, declarations);
    const before = this.#snapshot;
    this.#snapshot = await this.#api.updateSnapshot(
      before ? { fileChanges: { changed: [codeFile, toolsFile] } } : { openProjects: [configFile] },
    );
    await before?.dispose();
    const project = this.#snapshot.getProject(configFile);
    if (project === undefined) throw new Error('TypeScript has not opened the project.');
    const { program, checker } = project;
    const found = await program.getSemanticDiagnostics(codeFile);
    const errors = found
      .filter(({ category }) => category === DiagnosticCategory.Error)
      .slice(0, mostProblems);
    if (errors.length === 0) return [];
    const file = await program.getSourceFile(codeFile);
    const problems: TypeProblem[] = [];
    for (const error of errors) {
      const call = file && callAt(file, error);
      problems.push(problemOf(error, call && (await isOurs(call, checker)) ? call : undefined));
    }
    return problems;
  }
}

/** Code may call something else `tools`. */
async function isOurs({ root }: ToolCall, checker: Project['checker']): Promise<boolean> {
  const symbol = await checker.getSymbolAtLocation(root);
  return symbol?.declarations.some(({ path }) => path === toolsFile) ?? false;
}

function problemOf(said: Said & { pos: number }, call: ToolCall | undefined): TypeProblem {
  return {
    code: said.code,
    message: messageOf(said),
    position: said.pos,
    ...(call && { call: { path: call.path, part: call.part } }),
    isCertain: call !== undefined && isCertain(said, call),
  };
}

const longestMessage = 600;
const longestType = 100;

/** All of what is said, with types cut to where they can still be recognised. */
function messageOf(said: Said): string {
  const sentences: string[] = [];
  for (
    let one: Said | undefined = said;
    one !== undefined && sentences.length < 4;
    one = one.messageChain?.at(-1)
  )
    sentences.push(one.text.replace(longTypes, (_, type: string) => `'${type.slice(0, longestType)}…'`));
  return sentences.join(' ').slice(0, longestMessage);
}

const longTypes = new RegExp(`'([^']{${longestType + 1},})'`, 'g');
