import type { SandboxHooks } from '@executor/engine';

/** Catches errors that hooks throw. Otherwise the pool would blame the lane whose message it is reading, and end it. */
export function guardHooks(hooks: SandboxHooks, onError: (error: unknown) => void): Required<SandboxHooks> {
  let failed = false;
  const attempt = (call: () => void) => {
    if (failed) return;
    try {
      call();
    } catch (error) {
      failed = true;
      onError(error);
    }
  };
  return {
    onCall: (call, complete) => attempt(() => hooks.onCall(call, complete)),
    onDeliver: (completion) => attempt(() => hooks.onDeliver?.(completion)),
    onAbandon: (index) => attempt(() => hooks.onAbandon?.(index)),
    onReturn: () => attempt(() => hooks.onReturn?.()),
    onRest: (usage) => attempt(() => hooks.onRest?.(usage)),
    onLog: (line) => attempt(() => hooks.onLog?.(line)),
  };
}
