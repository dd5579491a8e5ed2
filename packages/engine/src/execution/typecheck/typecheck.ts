import type { Diagnostic } from '@executor/protocol';
import type { Catalog } from '../../catalog/catalog.ts';
import { fieldsInQuestion } from '../../catalog/description/fields-in-question.ts';
import { noSuchTool } from '../../catalog/description/no-such-tool.ts';
import type { ToolDescriptions } from '../../catalog/description/tool-descriptions.ts';
import type { ToolPrinter } from '../../catalog/signature/tool-printer.ts';
import type { Caller, Policies } from '../../policy/policies.ts';
import type { CodeError, Compilation } from '../../ports/sandbox.ts';
import type { TypeChecker, TypeProblem } from '../../ports/type-checker.ts';
import { chargedAccount } from '../../resource/charge.ts';
import { codeExcerpt } from '../view/code-excerpt.ts';
import { argumentNames } from './argument-names.ts';
import { namedPaths } from './named-paths.ts';
import { type NamedTool, toolDeclarations, withoutPrefixes } from './tool-declarations.ts';

interface Dependencies {
  checker: TypeChecker;
  catalog: Pick<Catalog, 'find' | 'seek'>;
  descriptions: Pick<ToolDescriptions, 'nearest'>;
  policies: Pick<Policies, 'outlook'>;
  printer: ToolPrinter;
}

type Compiled = Extract<Compilation, { type: 'compiled' }>;

/** The result of checking code: an error that prevents it from running, or diagnostics. */
export type Typechecked =
  | { type: 'refused'; error: CodeError }
  | { type: 'passed'; diagnostics: Diagnostic[] };

const nothing: Typechecked = { type: 'passed', diagnostics: [] };
const maxDiagnostics = 20;
const maxProblems = 5;
const signatureChars = 700;

/** Code that adds a source may call tools that do not exist yet. */
const addsTools = /\bsources\b[\s\S]{0,20}\b(add|refresh)\b/;

/** Checks code against the types of the tools that it names. Code that names none is not checked. */
export class Typecheck {
  readonly #deps: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
  }

  async check(caller: Caller, { program, typescript }: Compiled): Promise<Typechecked> {
    if (typescript === undefined) return nothing;
    const named = await this.#namedTools(caller, typescript);
    if (named.length === 0) return nothing;
    // With `$response` a result has another type than its schema.
    const anyOutput = typescript.includes('$response');
    const declarations = await toolDeclarations(named, { anyOutput, printer: this.#deps.printer });
    const { key: owner } = chargedAccount();
    const check = await this.#deps.checker.check({ owner, code: typescript, declarations });
    if (check.type === 'skipped') {
      return { type: 'passed', diagnostics: [{ message: `The types were not checked: ${check.reason}.` }] };
    }
    const where = (problem: TypeProblem) => positionIn(typescript, problem.position, program.head);
    const problems = check.problems.map((problem) => ({
      ...problem,
      message: withoutPrefixes(problem.message),
    }));
    const certain = problems.filter(({ isCertain }) => isCertain);
    if (certain.length > 0) {
      const error = await this.#refusal(caller, certain, {
        ...{ named, source: program.source, typescript, where },
      });
      return { type: 'refused', error };
    }
    const diagnostics = problems
      .slice(0, maxDiagnostics)
      .map((problem) => ({ code: problem.code, message: problem.message, ...where(problem) }));
    return { type: 'passed', diagnostics };
  }

  async #namedTools(caller: Caller, typescript: string): Promise<NamedTool[]> {
    const isFixed = !addsTools.test(typescript);
    const named = new Map<string, NamedTool>();
    const { catalog, policies } = this.#deps;
    const outlook = await policies.outlook(caller);
    for (const { segments, isCalled } of namedPaths(typescript)) {
      const path = segments.join('.');
      const found = catalog.find(caller.workspaceId, path) ?? (await catalog.seek(caller.workspaceId, path));
      // Nobody learns the input of a denied tool. The call itself fails as denied.
      if (found && outlook(found.tool) === 'deny') named.set(path, { path, type: 'denied' });
      else if (found) named.set(path, { path, type: 'tool', tool: found.tool });
      else if (isCalled && isFixed) named.set(path, { path, type: 'unknown' });
    }
    return [...named.values()];
  }

  async #refusal(
    caller: Caller,
    problems: TypeProblem[],
    {
      named,
      source,
      typescript,
      where,
    }: {
      named: NamedTool[];
      source: string;
      typescript: string;
      where: (problem: TypeProblem) => Position;
    },
  ): Promise<CodeError> {
    const [first] = problems as [TypeProblem];
    const reported = await Promise.all(
      problems.slice(0, maxProblems).map(async (problem) => ({
        ...where(problem),
        ...(problem.call && { path: problem.call.path }),
        message: await this.#sentence(caller, problem, { named, typescript }),
      })),
    );
    const [main, ...others] = reported.map(({ message }) => message);
    const more = others.map((message, index) => `\nLine ${reported[index + 1]?.line}: ${message}`);
    return {
      name: 'TypeError',
      message: `${main}${more.join('')}`,
      reason: 'typecheck',
      ...codeExcerpt(source, where(first)),
      details: { problems: reported },
    };
  }

  /** The problem of the call, with the signature of the tool. */
  async #sentence(
    caller: Caller,
    { call, message, position }: TypeProblem,
    { named, typescript }: { named: NamedTool[]; typescript: string },
  ): Promise<string> {
    if (call === undefined) return message;
    const { path } = call;
    const found = named.find((one) => one.path === path);
    if (found?.type !== 'tool') {
      const fields = argumentNames(typescript, position);
      const near = await this.#deps.descriptions.nearest({ ...caller, kind: 'agent' }, { path, fields });
      return noSuchTool(path, near);
    }
    const { signature } = await this.#deps.printer.print(found.tool, {
      signature: { maxChars: signatureChars, fields: fieldsInQuestion(message) },
    });
    return `${path}: ${message}\ntools.${path}: ${signature}`;
  }
}

interface Position {
  line: number;
  column: number;
}

/** The text before the code is on its first line. */
function positionIn(text: string, offset: number, head: number): Position {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  return { line, column: line === 1 ? Math.max(1, column - head) : column };
}
