import { type Interaction, printable } from '@executor/protocol';
import { indented, jsonText } from '../output.ts';

/** More than this is shown when somebody asks for it: a long request must not push what it is for out of sight. */
const maxLines = 40;
const maxLineLength = 400;

export interface Description {
  lines: string[];
  /** Whether there is more of what will be sent. */
  cut: boolean;
}

/** What a person reads before they answer: what is asked, of which tool, and exactly what will be sent. */
export function describeInteraction(interaction: Interaction, { whole = false } = {}): Description {
  const { prompt, tool, request, expiresAt } = interaction;
  const body = bodyLines(request ?? tool?.input);
  const shown = whole ? body : cutLines(body);
  return {
    lines: [
      printable(prompt),
      ...(tool ? [`  tool    ${printable(tool.path)}`, `  effect  ${tool.effect}`] : []),
      ...(expiresAt ? [`  until   ${expiresAt}`] : []),
      ...(body.length > 0 ? [`  ${headings[interaction.kind]}`] : []),
      ...shown,
    ],
    cut: shown !== body,
  };
}

/** The same lines where they are few and short. */
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
