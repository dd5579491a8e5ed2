import type { TypeProblem } from '@executor/engine';
import { API, DiagnosticCategory, type Project, type Snapshot } from 'typescript/unstable/async';
import { mayBeWanted } from './accepts.ts';
import { callAt, type PossibleCall } from './call-at.ts';
import { isAboutValue, isCertain, type Said } from './certainty.ts';
import { toolPath } from './tool-path.ts';
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
    for (const error of errors) problems.push(await problemOf(error, file && callAt(file, error), checker));
    return problems;
  }
}

async function problemOf(
  said: Said & { pos: number },
  call: PossibleCall | undefined,
  checker: Project['checker'],
): Promise<TypeProblem> {
  const { code, pos: position } = said;
  const path = call && (await toolPath(call, checker));
  if (call === undefined || path === undefined)
    return { code, message: messageOf(said), position, isCertain: false };
  const { part, written, value, field } = call;
  const isOfOtherKind =
    part === 'input' && isAboutValue(said) && !(await mayBeWanted(value, written, checker));
  return {
    code,
    message: part === 'input' && isAboutValue(said) ? `${field}: ${messageOf(said)}` : messageOf(said),
    position,
    call: { path, part },
    isCertain: isOfOtherKind || isCertain(said, call),
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
