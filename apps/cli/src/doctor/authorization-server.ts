import { ExecutorError } from '@executor/protocol';
import { AuthorizationServer } from '@executor/server';
import { type Check, failed, type Installation, ok, warning } from './check.ts';

const name = 'sign-in';

/** Checks that tokens of the configured authorization server can be verified. Empty if none is configured. */
export async function checkAuthorizationServer({ config }: Pick<Installation, 'config'>): Promise<Check[]> {
  const { authorizationServer: issuer, publicUrl, allowedHosts } = config;
  if (issuer === undefined) return [];
  try {
    const { registration_endpoint: registers } = await new AuthorizationServer({ issuer }).prepare();
    if (publicUrl === undefined && allowedHosts.length > 0) {
      return [
        warning(
          name,
          `${issuer} answers. Tokens must be for http://${allowedHosts[0]}/mcp, but clients behind TLS request tokens for https`,
          `Set the public address of the server: executor config set publicUrl https://${allowedHosts[0]}`,
        ),
      ];
    }
    const how =
      registers === undefined ? 'clients must be registered there manually' : 'clients can register';
    return [ok(name, `${issuer} answers; ${how}`)];
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error;
    return [
      failed(
        name,
        error.message,
        `Start it, or correct MCP_AUTHORIZATION_SERVER (\`executor config set authorizationServer URL\`). API keys still work.`,
      ),
    ];
  }
}
