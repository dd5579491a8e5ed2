import type { Environment } from '../../environment.ts';
import { roleProcess } from '../../role-process.ts';

export async function server(environment: Environment, { port }: { port?: string }): Promise<void> {
  await roleProcess(environment, 'server', { port });
}
