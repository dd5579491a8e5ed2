import { connect } from '../connect.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { printJson } from '../output.ts';

export async function web({
  print = false,
  json = false,
}: {
  print?: boolean;
  json?: boolean;
}): Promise<void> {
  const client = await connect();
  const link = await client.sessions.createLink();
  if (json) return printJson(link);
  if (print) return console.log(link.url);
  if (await openInBrowser(link.url)) console.log(`Opened ${new URL(link.url).origin} in the browser.`);
  else
    console.log(
      `No browser could be opened here. Open this link yourself, within five minutes; it works once:\n${link.url}`,
    );
}
