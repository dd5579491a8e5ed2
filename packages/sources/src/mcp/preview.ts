import type { Preview, SourceCall } from '@executor/engine';
import type { McpPlan } from './plan.ts';
import { parseSettings } from './settings.ts';

/** The request of a call as a reviewer sees it: the server and the message. */
export function previewCall({ tool, input, settings }: SourceCall): Preview {
  const { url, command, args = [], headers } = parseSettings(settings);
  const { method, name } = tool.plan as McpPlan;
  return {
    ...(url === undefined ? { program: [command, ...args] } : { url: shownUrl(url) }),
    ...(headers && Object.keys(headers).length > 0 && { headers }),
    method,
    params: name === undefined ? input : { name, arguments: input },
  };
}

/** The query may contain a key. */
function shownUrl(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  const names = [...searchParams.keys()].map((name) => `${name}=…`).join('&');
  return `${origin}${pathname}${names === '' ? '' : `?${names}`}`;
}
