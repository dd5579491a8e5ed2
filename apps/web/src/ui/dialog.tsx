import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  title: string;
  /** Called on Escape. The parent must stop rendering the dialog. */
  onClose: () => void;
  /** For content to read or edit, not only to confirm. */
  wide?: boolean;
  children: ReactNode;
}

/** A modal dialog, open while rendered. The browser keeps the focus inside and restores it afterwards. */
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
