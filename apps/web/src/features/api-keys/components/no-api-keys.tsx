export function NoApiKeys({ title }: { title: string }) {
  return (
    <div className="flex flex-col gap-2 px-5 py-6 text-sm text-muted sm:px-6">
      <p className="font-medium text-ink">{title}</p>
      <p>
        An <strong className="font-medium text-ink">agent key</strong> lets an agent run code, but not approve
        calls. A <strong className="font-medium text-ink">person key</strong> can do everything that you can.
        It is for your own scripts.
      </p>
      <p>
        Create one with “New key”, or in a terminal:{' '}
        <code className="rounded bg-sunken px-1.5 py-0.5 font-mono text-ink">
          executor keys create my-agent
        </code>
      </p>
    </div>
  );
}
