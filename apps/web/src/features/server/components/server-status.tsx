import { useHealth } from '../api/get-health.ts';

const states = {
  unknown: { text: 'Executor', dot: 'bg-line' },
  away: { text: 'Executor does not answer', dot: 'bg-warn' },
  degraded: { text: 'Executor is waiting for its database', dot: 'bg-warn' },
  ok: { text: 'Executor is running', dot: 'bg-good' },
};

export function ServerStatus() {
  const { error, data } = useHealth();
  const { text, dot } = states[error ? 'away' : (data?.status ?? 'unknown')];
  return (
    <span className="flex items-center gap-2.5">
      <span aria-hidden="true" className={`size-2.5 rounded-full ${dot}`} />
      {text}
    </span>
  );
}
