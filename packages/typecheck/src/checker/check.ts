import type { TypeProblem } from '@executor/engine';
import type { SourceFile } from 'typescript/unstable/ast';
import { API, DiagnosticCategory, type Snapshot } from 'typescript/unstable/async';
import { callAt } from './call-at.ts';
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
    const program = this.#snapshot.getProject(configFile)?.program;
    if (program === undefined) throw new Error('TypeScript has not opened the project.');
    const found = await program.getSemanticDiagnostics(codeFile);
    const errors = found
      .filter(({ category }) => category === DiagnosticCategory.Error)
      .slice(0, mostProblems);
    if (errors.length === 0) return [];
    const file = await program.getSourceFile(codeFile);
    return errors.map((error) => problemOf(error, file));
  }
}

function problemOf(said: Said & { pos: number }, file: SourceFile | undefined): TypeProblem {
  const call = file && callAt(file, said.pos);
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
