import type { Environment } from '../../environment.ts';
import { openInBrowser } from '../../open-in-browser.ts';
import { connect } from '../../server/connect.ts';

export async function web(
  environment: Environment,
  { print = false, json = false }: { print?: boolean; json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const link = await client.sessions.createLink();
  if (json) return environment.printJson(link);
  if (print) return environment.print(link.url);
  if (await openInBrowser(environment, link.url))
    environment.print(`Opened ${new URL(link.url).origin} in the browser.`);
  else
    environment.print(
      `No browser could be opened here. Open this link within five minutes. It works once:\n${link.url}`,
    );
}
