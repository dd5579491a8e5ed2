// Loaded into a process before its program. Each SIGUSR2 writes the delays of the event loop since the previous signal
// to a file.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const file = process.env.EXECUTOR_BENCH_LOOP_DELAY;
if (file) {
  const delays = monitorEventLoopDelay({ resolution: 2 });
  delays.enable();
  process.on('SIGUSR2', () => {
    const ms = (nanoseconds) => nanoseconds / 1e6;
    writeFileSync(
      `${file}.${process.pid}`,
      JSON.stringify({
        p99: ms(delays.percentile(99)),
        p999: ms(delays.percentile(99.9)),
        max: ms(delays.max),
      }),
    );
    delays.reset();
  });
}
