import type { Logger } from 'pino';

/** Resolves at the first stop signal. During the shutdown a second Ctrl-C exits at once, and other signals are ignored. */
export function stopSignal(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(name, () => {
        if (stopping && name === 'SIGINT') process.exit(130);
        if (stopping) return;
        stopping = true;
        logger.info({ signal: name }, 'stopping: finishing work in flight');
        resolve();
      });
    }
  });
}
