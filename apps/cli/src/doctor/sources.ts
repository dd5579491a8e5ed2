import { readLocalToken } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import { createClient } from '../server/client.ts';
import { type Check, failed, type Installation, ok, warning } from './check.ts';

/** Reports configured sources that the daemon could not connect. Empty if none are configured or no daemon runs. */
export async function checkConfiguredSources({ config, folders, daemon }: Installation): Promise<Check[]> {
  const count = config.toolSources.length;
  if (count === 0 || daemon?.health?.status !== 'ok') return [];
  try {
    const client = createClient({ url: daemon.record.url, token: readLocalToken(folders), timeoutMs: 5_000 });
    const { problems } = await client.sources.list({ limit: 1 });
    if (problems.length === 0) return [ok('tool sources', `${count} configured`)];
    return problems.map(({ message, retrying }) =>
      warning(
        'tool sources',
        `EXECUTOR_TOOL_SOURCES${message}`,
        retrying
          ? 'Executor retries until it answers.'
          : `Correct the entry (environment, or toolSources in config.json), then \`executor restart\`.`,
      ),
    );
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error;
    return [
      failed(
        'tool sources',
        `the server did not answer the question: ${error.message}`,
        `See \`executor logs\`.`,
      ),
    ];
  }
}
