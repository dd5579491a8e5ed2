import type { Client } from '@executor/client';
import type { SourceProgress } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { Screen } from '../run/screen.ts';

/** Loading a large remote document takes time. */
export const loadingMs = 11 * 60_000;
const lookEveryMs = 250;

/** Runs an action that loads a document and shows its progress at a terminal. */
export async function watchLoading<Result>(
  environment: Environment,
  client: Client,
  work: () => Promise<Result>,
): Promise<Result> {
  const screen = new Screen(environment);
  if (!environment.stderr.isTTY) return work();
  let latest: SourceProgress | undefined;
  const startedAt = Date.now();
  const look = async () => {
    const { loading } = await client.sources.list({ limit: 1 });
    latest = loading.findLast((load) => Date.parse(load.startedAt) >= startedAt - 2_000) ?? latest;
  };
  const timer = setInterval(() => void look().catch(() => {}), lookEveryMs);
  screen.spin(() => (latest ? progressText(latest) : 'asking the server'));
  try {
    return await work();
  } finally {
    clearInterval(timer);
    screen.stop();
  }
}

export function progressText({ stage, done, total }: SourceProgress): string {
  if (stage === 'queued') return 'waiting for other sources';
  const unit = stage === 'fetching' ? amount : (count: number) => `${count.toLocaleString('en')} operations`;
  const far = done === undefined ? '' : ` ${unit(done)}${total === undefined ? '' : ` of ${unit(total)}`}`;
  return `${stage}${far}`;
}

function amount(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
