import type { Logger } from 'pino';

/** The first signal asks to stop. While what is under way is finished, another Ctrl-C ends it at once, and other signals change nothing. */
export function stopSignal(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(name, () => {
        if (stopping && name === 'SIGINT') process.exit(130);
        if (stopping) return;
        stopping = true;
        logger.info({ signal: name }, 'stopping: finishing what is under way');
        resolve();
      });
    }
  });
}
