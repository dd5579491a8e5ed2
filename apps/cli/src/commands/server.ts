import { roleProcess } from '../role-process.ts';

export async function server({ port }: { port?: string }): Promise<void> {
  await roleProcess('server', { port });
}
