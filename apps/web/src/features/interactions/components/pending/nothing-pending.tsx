export function NothingPending() {
  return (
    <div className="flex flex-col items-center gap-3 rounded-2xl border border-dashed border-line px-6 py-14 text-center">
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        className="size-10 text-good"
        fill="none"
        stroke="currentColor"
      >
        <circle cx="12" cy="12" r="9.25" strokeWidth="1.5" />
        <path d="m8 12.4 2.7 2.7L16 9.6" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      <p className="text-lg font-medium">No pending questions</p>
      <p className="max-w-sm text-sm text-balance text-muted">
        When a run needs an approval, it appears here. You can close this page: runs wait.
      </p>
    </div>
  );
}
