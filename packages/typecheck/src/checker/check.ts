import type { TypeProblem } from '@executor/engine';
import type { SourceFile } from 'typescript/unstable/ast';
import { API, DiagnosticCategory, type Project, type Snapshot } from 'typescript/unstable/async';
import { mayBeExpected } from './accepts.ts';
import { callAt, type PossibleCall } from './call-at.ts';
import { type Diagnostic, isAboutValue, isCertain } from './certainty.ts';
import { wrongNulls } from './nulls.ts';
import { plainMessage } from './plain-message.ts';
import { mayHoldPromises, promiseProblems } from './promises.ts';
import { toolPath } from './tool-path.ts';
import { codeFile, configFile, VirtualFiles } from './virtual-files.ts';

/** Maximum number of errors per check. */
const maxProblems = 50;

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
    const changed = this.#files.set(code, declarations);
    const before = this.#snapshot;
    this.#snapshot = await this.#api.updateSnapshot(
      before ? { fileChanges: { changed } } : { openProjects: [configFile] },
    );
    const project = this.#snapshot.getProject(configFile);
    if (project === undefined) throw new Error('TypeScript has not opened the project.');
    const { program, checker } = project;
    const [found] = await Promise.all([program.getSemanticDiagnostics(codeFile), before?.dispose()]);
    const errors = found
      .filter(({ category }) => category === DiagnosticCategory.Error)
      .slice(0, maxProblems);
    const holdsPromises = mayHoldPromises(code);
    if (errors.length === 0 && !mayHaveNull.test(code) && !holdsPromises) return [];
    const file = await program.getSourceFile(codeFile);
    const problems = file && holdsPromises ? await promiseProblems(file, checker) : [];
    for (const error of errors) problems.push(await problemOf(error, file && callAt(file, error), checker));
    if (file && mayHaveNull.test(code)) problems.push(...(await nullProblems(file, declarations, checker)));
    return problems.slice(0, maxProblems);
  }
}

const mayHaveNull = /:\s*null\b/;
const notAssignable = 2322;

/** TypeScript does not report these with our settings. */
async function nullProblems(
  file: SourceFile,
  declarations: string,
  checker: Project['checker'],
): Promise<TypeProblem[]> {
  const problems: TypeProblem[] = [];
  for (const { value, expected } of await wrongNulls(file, checker)) {
    const position = value.getStart(file);
    const call = callAt(file, { pos: position, end: value.end });
    const types = expected.map(({ pos, end }) => declarations.slice(pos, end).trim());
    const diagnostic = {
      code: notAssignable,
      text: `Type 'null' is not assignable to type '${[...new Set(types)].join(' | ')}'.`,
      pos: position,
    };
    const problem = await problemOf(diagnostic, call, checker);
    if (problem.call !== undefined) problems.push({ ...problem, isCertain: true });
  }
  return problems;
}

async function problemOf(
  diagnostic: Diagnostic & { pos: number },
  call: PossibleCall | undefined,
  checker: Project['checker'],
): Promise<TypeProblem> {
  const { code, pos: position } = diagnostic;
  const path = call && (await toolPath(call, checker));
  if (call === undefined || path === undefined)
    return { code, message: messageOf(diagnostic), position, isCertain: false };
  const { part, form, value, field } = call;
  const isInput = part === 'input' && isAboutValue(diagnostic);
  const isOfOtherKind = isInput && !(await mayBeExpected(value, form, checker));
  return {
    code,
    message:
      plainMessage(diagnostic, call) ??
      (isInput ? `${field}: ${messageOf(diagnostic)}` : messageOf(diagnostic)),
    position,
    call: { path, part },
    isCertain: isOfOtherKind || isCertain(diagnostic, call),
  };
}

const maxMessageChars = 600;
const maxTypeChars = 100;

/** The whole message, with long types cut. */
function messageOf(diagnostic: Diagnostic): string {
  const sentences: string[] = [];
  for (
    let one: Diagnostic | undefined = diagnostic;
    one !== undefined && sentences.length < 4;
    one = one.messageChain?.at(-1)
  )
    sentences.push(one.text.replace(longTypes, (_, type: string) => `'${type.slice(0, maxTypeChars)}…'`));
  return sentences.join(' ').slice(0, maxMessageChars);
}

const longTypes = new RegExp(`'([^']{${maxTypeChars + 1},})'`, 'g');
