import { ExecutorError } from '@executor/protocol';
import { AuthorizationServer } from '@executor/server';
import { type Check, failed, ok, type Patient, warning } from './check.ts';

const name = 'sign-in';

/** Whether tokens of the configured authorization server could be checked; nothing where none is configured. */
export async function checkAuthorizationServer({ config }: Pick<Patient, 'config'>): Promise<Check[]> {
  const { authorizationServer: issuer, publicUrl, allowedHosts } = config;
  if (issuer === undefined) return [];
  try {
    const { registration_endpoint: registers } = await new AuthorizationServer({ issuer }).prepare();
    if (publicUrl === undefined && allowedHosts.length > 0) {
      return [
        warning(
          name,
          `${issuer} answers; tokens must be for http://${allowedHosts[0]}/mcp, which is not what clients behind TLS ask for`,
          `Say where the server is reached: executor config set publicUrl https://${allowedHosts[0]}`,
        ),
      ];
    }
    const how = registers === undefined ? 'clients must be registered there by hand' : 'clients can register';
    return [ok(name, `${issuer} answers; ${how}`)];
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error;
    return [
      failed(
        name,
        error.message,
        `Start it, or correct MCP_AUTHORIZATION_SERVER (\`executor config set authorizationServer URL\`). Keys work meanwhile.`,
      ),
    ];
  }
}
