import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  title: string;
  /** Asked for by Escape; whoever shows the dialog then stops showing it. */
  onClose: () => void;
  /** For what has to be read or edited, not only confirmed. */
  wide?: boolean;
  children: ReactNode;
}

/** Open while it is shown. It is the browser's own dialog: it keeps the focus inside and gives it back afterwards. */
export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className={`m-auto w-[calc(100%-2rem)] ${wide ? 'max-w-2xl' : 'max-w-md'} rounded-2xl border border-line bg-surface p-6 text-ink shadow-lg backdrop:bg-backdrop`}
    >
      <h2 id={titleId} className="mb-4 text-lg font-semibold tracking-tight wrap-anywhere">
        {title}
      </h2>
      {children}
    </dialog>
  );
}
