import { Button } from './button.tsx';
import { Message } from './message.tsx';
import { Notice } from './notice.tsx';

interface QueryFailureProps {
  error: Error;
  onRetry: () => void;
}

/** The server's error message, and a button to try again. */
export function QueryFailure({ error, onRetry }: QueryFailureProps) {
  return (
    <div className="p-5 sm:px-6">
      <Notice look="danger" action={<Button onClick={onRetry}>Try again</Button>}>
        <Message text={error.message} />
      </Notice>
    </div>
  );
}
