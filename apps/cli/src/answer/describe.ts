import { type Interaction, printable } from '@executor/protocol';
import { indented, jsonText } from '../output.ts';

/** More than this is shown when somebody asks for it. */
const maxLines = 40;

export interface Description {
  lines: string[];
  /** How many lines of what will be sent are not among them. */
  hidden: number;
}

/** What a person reads before they answer: what is asked, of which tool, and exactly what will be sent. */
export function describeInteraction(interaction: Interaction, { whole = false } = {}): Description {
  const { prompt, tool, request, expiresAt } = interaction;
  const body = bodyLines(request ?? tool?.input);
  const shown = whole ? body : body.slice(0, maxLines);
  const hidden = body.length - shown.length;
  return {
    lines: [
      printable(prompt),
      ...(tool ? [`  tool    ${printable(tool.path)}`, `  effect  ${tool.effect}`] : []),
      ...(expiresAt ? [`  until   ${expiresAt}`] : []),
      ...(body.length > 0 ? [`  ${headings[interaction.kind]}`] : []),
      ...shown,
      ...(hidden > 0 ? [`    … and ${hidden} more lines`] : []),
    ],
    hidden,
  };
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
