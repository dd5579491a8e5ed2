import { type SourceProbe, toExecutorError } from '@executor/protocol';
import type { ProbeObservation } from '../../ports/source.ts';

/** How long all probes may take. They end themselves at the first limit, and nobody waits for them after the second. */
const probeMs = 2_500;
const lastMs = 2_700;
const maxRequests = 100;
const maxChars = 300;

export class ProbeDeadline {
  readonly signal: AbortSignal = AbortSignal.timeout(probeMs);
  readonly passed: Promise<undefined>;

  constructor() {
    const last = AbortSignal.timeout(lastMs);
    this.passed = new Promise((resolve) =>
      last.addEventListener('abort', () => resolve(undefined), { once: true }),
    );
  }
}

export interface ProbeResult<Found> {
  found: Found | undefined;
  /** What it saw, for a user to read. */
  seen: SourceProbe;
  error?: unknown;
}

/** Runs one probe, whose failure is a result. */
export async function runProbe<Found>(
  kind: string,
  { signal, passed }: ProbeDeadline,
  probe: (report: (observation: ProbeObservation) => void) => Promise<Found | undefined>,
): Promise<ProbeResult<Found>> {
  const requests: ProbeObservation[] = [];
  const report = ({ request, outcome }: ProbeObservation) => {
    if (requests.length < maxRequests)
      requests.push({ request: request.slice(0, maxChars), outcome: outcome.slice(0, maxChars) });
  };
  const seen = (outcome: SourceProbe['outcome'], message?: string): SourceProbe => ({
    kind,
    outcome,
    ...(message !== undefined && { message }),
    requests: [...requests],
  });
  try {
    const found = await Promise.race([probe(report), passed]);
    if (found !== undefined) return { found, seen: seen('found') };
    return { found, seen: seen(signal.aborted ? 'timeout' : 'nothing') };
  } catch (error) {
    if (signal.aborted) return { found: undefined, seen: seen('timeout') };
    return { found: undefined, seen: seen('failed', toExecutorError(error).message.slice(0, 500)), error };
  }
}
