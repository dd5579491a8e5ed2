import type { Call, ExecutionStatus } from '@executor/protocol';
import type { BadgeLook } from '../../../ui/badge.tsx';

export const statusLooks: Record<ExecutionStatus, { word: string; look: BadgeLook }> = {
  queued: { word: 'Queued', look: 'neutral' },
  running: { word: 'Running', look: 'accent' },
  waiting: { word: 'Waiting', look: 'warn' },
  completed: { word: 'Completed', look: 'good' },
  failed: { word: 'Failed', look: 'danger' },
  cancelled: { word: 'Cancelled', look: 'neutral' },
};

export const callLooks: Record<Call['status'], { word: string; look: BadgeLook }> = {
  requested: { word: 'Requested', look: 'neutral' },
  waiting: { word: 'Waiting', look: 'warn' },
  dispatched: { word: 'Sent', look: 'accent' },
  uncertain: { word: 'Not known', look: 'warn' },
  succeeded: { word: 'Done', look: 'good' },
  failed: { word: 'Failed', look: 'danger' },
  denied: { word: 'Denied', look: 'danger' },
  abandoned: { word: 'Abandoned', look: 'neutral' },
};
