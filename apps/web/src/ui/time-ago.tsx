import { useEffect, useReducer } from 'react';

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** The time since an event, kept up to date. The tooltip shows the exact time. */
export function TimeAgo({ at }: { at: string }) {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} className="whitespace-nowrap">
      {describe((Date.now() - Date.parse(at)) / 1000)}
    </time>
  );
}

function describe(seconds: number): string {
  const step = steps.find(([, length]) => seconds >= length);
  return step ? relative.format(-Math.floor(seconds / step[1]), step[0]) : 'just now';
}
