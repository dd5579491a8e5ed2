import { readFileSync } from 'node:fs';
import type { Tool } from '@executor/engine';

/*
 * Requests to APIs that nobody looked at while the ranking was written. The requests were written from what the APIs
 * are for, before any search was run, and the expected operations were picked by reading the documents. Weights and
 * rules may be chosen on the half `tune`. The half `report` is only measured.
 */

export type Half = 'tune' | 'report';

/** A tool of `unseen/NAME.tools.json`: the text that search reads, and nothing else. */
export interface UnseenTool {
  path: string;
  origin: Record<string, unknown>;
  description: string;
  effect: Tool['effect'];
  tags?: string[];
  deprecated?: boolean;
  required?: string[];
  inputs: [name: string, about: string][];
  results: string[];
}

/** Each need is met by any one of its operations. */
export interface UnseenRequest {
  query: string;
  /** `everyday` requests avoid the words of the API. `usual` ones are written as agents write them. */
  kind: 'everyday' | 'usual';
  needs: string[][];
}

interface UnseenSet {
  /** The namespace of the tools, and the name of the files. */
  name: string;
  /** The name of the service. */
  title: string;
  half: Half;
}

const sets: UnseenSet[] = [
  { name: 'asana', title: 'Asana', half: 'tune' },
  { name: 'xero', title: 'Xero', half: 'tune' },
  { name: 'digitalocean', title: 'DigitalOcean', half: 'tune' },
  { name: 'youtube', title: 'YouTube', half: 'tune' },
  { name: 'square', title: 'Square', half: 'report' },
  { name: 'zoom', title: 'Zoom', half: 'report' },
  { name: 'discourse', title: 'Discourse', half: 'report' },
  { name: 'netlify', title: 'Netlify', half: 'report' },
  { name: 'spoonacular', title: 'Spoonacular', half: 'report' },
];

export function unseenSets(half: Half) {
  return sets
    .filter((set) => set.half === half)
    .map((set) => ({
      ...set,
      requests: read<UnseenRequest[]>(`${set.name}.requests`),
      tools: read<UnseenTool[]>(`${set.name}.tools`).map(toolOf),
    }));
}

/** Requests that no set of the half can answer. */
export function unanswerableRequests(half: Half): string[] {
  return read<Record<Half, string[]>>('nothing')[half];
}

function toolOf({ required = [], inputs, results, ...tool }: UnseenTool): Tool {
  return {
    ...tool,
    repeatable: false,
    version: '1',
    inputSchema: {
      type: 'object',
      required,
      properties: Object.fromEntries(inputs.map(([name, description]) => [name, { description }])),
    },
    outputSchema: { type: 'object', properties: Object.fromEntries(results.map((name) => [name, {}])) },
  };
}

function read<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`unseen/${name}.json`, import.meta.url), 'utf8'));
}
