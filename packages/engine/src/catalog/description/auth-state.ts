import type { ToolAuth } from '@executor/protocol';
import { composeAuth } from '../../auth/compose-auth.ts';
import { missingCredentials } from '../../auth/credentials-missing.ts';
import type { FoundTool } from '../opened-source.ts';

/** Whether a call would be let in, as far as its document tells: nothing of the credentials themselves. */
export function authState(found: Pick<FoundTool, 'tool' | 'access'>): ToolAuth {
  const composed = composeAuth(found.access, found.tool.security);
  if (composed.type === 'missing') {
    return { state: 'missing', message: missingCredentials(found, composed).message };
  }
  return { state: Object.keys(composed.auth).length > 0 ? 'ready' : 'notNeeded' };
}
