import { Link } from '@tanstack/react-router';
import { useTitle } from '../ui/use-title.ts';

export function NoSuchPage() {
  useTitle('No such page');
  return (
    <div className="flex flex-col items-start gap-3 py-10">
      <h1 className="text-xl font-semibold tracking-tight">There is no such page</h1>
      <p className="text-muted">The address may be wrong.</p>
      <Link to="/" className="font-medium text-accent underline underline-offset-4">
        Go home
      </Link>
    </div>
  );
}
