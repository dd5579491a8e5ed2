import type { StoreChange } from '@executor/engine';

export type ExecutionChange = {
  [Key in 'status' | 'forHolder']?: (StoreChange & { type: 'execution' })[Key] | undefined;
};

/** Tells whoever wants to know, in this process, what was committed. */
export class Changes {
  readonly #listeners = new Set<(change: StoreChange) => void>();

  subscribe(listener: (change: StoreChange) => void): () => void {
    // Wrapped, because the same function may be given twice.
    const own = (change: StoreChange) => listener(change);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  emit(change: StoreChange): void {
    // Later, so that a listener that throws cannot make a change look as if it had failed.
    for (const listener of this.#listeners) queueMicrotask(() => listener(change));
  }

  execution(
    workspaceId: string,
    executionId: string,
    { status, forHolder = false }: ExecutionChange = {},
  ): void {
    this.emit({ type: 'execution', workspaceId, executionId, ...(status && { status }), forHolder });
  }

  policies(workspaceId: string): void {
    this.emit({ type: 'policies', workspaceId });
  }
}
