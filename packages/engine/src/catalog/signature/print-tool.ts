import type { PrintedTool, PrintJob, PrintRequest } from '../../ports/print-thread.ts';
import type { Tool } from '../../ports/source.ts';
import type { PackContents } from '../pack-contents.ts';
import { ToolPack } from '../tool-pack.ts';
import { anyFunction, declarationOf } from './declaration.ts';
import { exampleOf, generalExample } from './example.ts';
import { type PrintBudget, smallBudget, within } from './print-budget.ts';
import { signatureOf, tooLarge } from './signature.ts';

export type PrintableTool = Pick<Tool, 'path' | 'inputSchema' | 'outputSchema' | 'definitions'>;

/** Prints the texts within a limit of some tenths of a second. A text that takes longer is replaced by a general one. */
export function printTool(tool: PrintableTool, request: PrintRequest, budget?: PrintBudget): PrintedTool {
  const { signature, example, declaration } = request;
  return {
    ...(signature && { signature: signatureOf(tool, signature, budget) }),
    ...(example && { example: exampleOf(tool, budget) }),
    ...(declaration && { declaration: declarationOf(tool, declaration, budget) }),
  };
}

/** Prints a tool of opened contents, on another thread than the server's. */
export function printPacked(contents: PackContents, { path, at, request }: PrintJob): PrintedTool {
  return printTool({ path, ...contents.detail(at), definitions: contents }, request);
}

/** Opening a chunk takes about a millisecond. */
const stepsOfChunk = 250;

/** Prints on the server's thread, within about a millisecond; undefined if that does not suffice. */
export function printBriefly(tool: PrintableTool, request: PrintRequest): PrintedTool | undefined {
  const budget = smallBudget();
  const { definitions: pack } = tool;
  const definitions = pack instanceof ToolPack && {
    tracksEvaluated: pack.tracksEvaluated,
    get: (name: string) => {
      if (pack.isClosed(name)) budget.spend(stepsOfChunk);
      return pack.get(name);
    },
  };
  return within(
    () => printTool({ ...tool, ...(definitions && { definitions }) }, request, budget),
    () => undefined,
  );
}

/** The texts of a tool that could not be printed. */
export function printGeneral(tool: PrintableTool, request: PrintRequest): PrintedTool {
  return {
    ...(request.signature && { signature: tooLarge }),
    ...(request.example && { example: generalExample(tool) }),
    ...(request.declaration && { declaration: anyFunction }),
  };
}
