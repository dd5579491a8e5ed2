import { type Interaction, printable } from '@executor/protocol';
import { indented, jsonText, oneLine } from '../output.ts';
import { requestLines } from './request-lines.ts';

/** Longer requests are cut until the user asks for all, so that the question stays visible. */
const maxLines = 40;
const maxLineLength = 400;

/** More questions than this are listed on one line each. */
const maxInFull = 10;

export interface Description {
  lines: string[];
  /** Whether the request is cut. */
  cut: boolean;
}

/**
 * The text that a reviewer reads before the answer: the question, the request, and the tool last. A long request scrolls, and the last lines
 * remain visible. The whole description shows exactly what will be sent, with the headers that Executor sends with every request.
 */
export function describeInteraction(interaction: Interaction, { whole = false } = {}): Description {
  const { kind, prompt, tool, request, expiresAt } = interaction;
  const isCall = kind === 'approval' || kind === 'reconcile';
  const body = isCall ? requestLines(request ?? tool?.input, { whole }) : bodyLines(request ?? tool?.input);
  const passed = isShortened(request) ? bodyLines(tool?.input) : [];
  const shown = whole ? body : cutLines(body);
  const shownPassed = whole ? passed : cutLines(passed);
  return {
    lines: [
      printable(prompt),
      ...(body.length > 0 ? [`  ${headings[kind]}`] : []),
      ...shown,
      ...(passed.length > 0 ? ['  what the code passed', ...shownPassed] : []),
      ...(expiresAt ? [`  until   ${expiresAt}`] : []),
      ...(tool ? [`  effect  ${tool.effect}`, `  tool    ${printable(tool.path)}`] : []),
    ],
    cut: shown !== body || shownPassed !== passed,
  };
}

/** Several questions that are answered together: a few are shown in full, many on one line each. `cut` if any of them is cut. */
export function describeSeveral(interactions: Interaction[], { whole = false } = {}): Description {
  const inFull = whole || interactions.length <= maxInFull;
  const each = interactions.map((interaction) => {
    if (!inFull) return describeOnOneLine(interaction);
    const { lines, cut } = describeInteraction(interaction, { whole });
    return { lines: ['', ...lines], cut };
  });
  return { lines: each.flatMap(({ lines }) => lines), cut: each.some(({ cut }) => cut) };
}

function describeOnOneLine({ id, tool, request }: Interaction): Description {
  const path = tool?.path ?? '';
  const sent = jsonText(request ?? tool?.input);
  const shown = { path: oneLine(path, 60), sent: oneLine(sent, 200) };
  return {
    lines: [`  ${id}  ${shown.path}  ${shown.sent}`],
    cut: shown.path !== path || shown.sent !== sent || isShortened(request),
  };
}

/** Whether a part of the request is shown only by its length, hash or name, which do not identify the content. */
function isShortened(request: unknown): boolean {
  return (
    typeof request === 'object' && request !== null && 'shortened' in request && request.shortened === true
  );
}

/** Cuts lines that are too many or too long. */
function cutLines(lines: string[]): string[] {
  if (lines.length <= maxLines && lines.every((line) => line.length <= maxLineLength)) return lines;
  const more = lines.length - maxLines;
  return [...lines.slice(0, maxLines).map(cutLine), ...(more > 0 ? [`    … and ${more} more lines`] : [])];
}

function cutLine(line: string): string {
  const more = line.length - maxLineLength;
  return more > 0 ? `${line.slice(0, maxLineLength)}… and ${more} more characters` : line;
}

const headings: Record<Interaction['kind'], string> = {
  approval: 'sends',
  reconcile: 'sent',
  elicitation: 'asks for',
  credential: 'asks for',
  oauth: 'at',
};

function bodyLines(body: unknown): string[] {
  if (body === undefined) return [];
  const text = typeof body === 'string' ? printable(body) : jsonText(body, 2);
  return indented(text, 4).split('\n');
}
