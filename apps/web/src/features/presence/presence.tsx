import { ExecutorError } from '@executor/protocol';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { PinDialog } from './pin-dialog.tsx';

/** Makes a request, and repeats it with the PIN if the server requires one. */
export type WithPresence = <Answer>(
  make: (presence: string | undefined) => Promise<Answer>,
) => Promise<Answer>;

const PresenceContext = createContext<WithPresence | undefined>(undefined);

interface Asking {
  /** Why the server rejected the previous PIN, if there was one. */
  problem: string | undefined;
  answer: (pin: string | undefined) => void;
}

/** Asks for the PIN when it is needed. The PIN is never stored, so a later user of the open page does not have it. */
export function PresenceProvider({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState<Asking>();
  const withPresence: WithPresence = useCallback(async (make) => {
    for (let pin: string | undefined; ; ) {
      try {
        return await make(pin);
      } catch (error) {
        if (!(error instanceof ExecutorError) || error.code !== 'presenceRequired') throw error;
        const problem = pin === undefined ? undefined : error.message;
        pin = await new Promise<string | undefined>((answer) => setAsking({ problem, answer }));
        setAsking(undefined);
        if (pin === undefined)
          throw new ExecutorError('presenceRequired', 'Nothing was changed, because no PIN was entered.');
      }
    }
  }, []);
  return (
    <PresenceContext value={withPresence}>
      {children}
      {asking && <PinDialog problem={asking.problem} onAnswer={asking.answer} />}
    </PresenceContext>
  );
}

export function useWithPresence(): WithPresence {
  const withPresence = useContext(PresenceContext);
  if (withPresence === undefined) throw new Error('useWithPresence is used outside of PresenceProvider.');
  return withPresence;
}
