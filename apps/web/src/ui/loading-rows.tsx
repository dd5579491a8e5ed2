/** A placeholder for a list that is loading. */
export function LoadingRows({ label, rows = 3 }: { label: string; rows?: number }) {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-4 px-5 py-5 sm:px-6">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
        <div key={row} className="h-4 animate-pulse rounded bg-sunken odd:w-3/4" />
      ))}
    </div>
  );
}
