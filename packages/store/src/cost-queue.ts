/**
 * Items that wait, in a queue of their own for each key. The key whose items have cost the least is served first, so a key with expensive
 * items gets fewer turns. A key that was idle has saved nothing: it begins where the others are now.
 */
export class CostQueue<Item> {
  readonly #costOf: (item: Item) => number;
  readonly #queues = new Map<string, Item[]>();
  /** What the items of each key have cost, in a count that goes on for all keys. */
  readonly #spent = new Map<string, number>();
  /** The count of the key that was served last. */
  #now = 0;
  #size = 0;

  constructor(costOf: (item: Item) => number) {
    this.#costOf = costOf;
  }

  get size(): number {
    return this.#size;
  }

  add(key: string, item: Item): void {
    const queue = this.#queues.get(key);
    this.#size += 1;
    if (queue) {
      queue.push(item);
      return;
    }
    this.#queues.set(key, [item]);
    this.#spent.set(key, Math.max(this.#now, this.#spent.get(key) ?? 0));
  }

  /** The item that is served next. It stays in the queue. */
  get first(): Item | undefined {
    return this.#queues.get(this.#nextKey() ?? '')?.[0];
  }

  shift(): Item | undefined {
    const key = this.#nextKey();
    if (key === undefined) return undefined;
    const queue = this.#queues.get(key) as Item[];
    const item = queue.shift() as Item;
    this.#size -= 1;
    this.#now = this.#spentBy(key);
    this.#spent.set(key, this.#now + this.#costOf(item));
    if (queue.length === 0) this.#queues.delete(key);
    this.#forget();
    return item;
  }

  /** Removes all items. */
  drain(): Item[] {
    const items = [...this.#queues.values()].flat();
    this.#queues.clear();
    this.#size = 0;
    return items;
  }

  #nextKey(): string | undefined {
    let next: string | undefined;
    for (const key of this.#queues.keys()) {
      if (next === undefined || this.#spentBy(key) < this.#spentBy(next)) next = key;
    }
    return next;
  }

  #spentBy(key: string): number {
    return this.#spent.get(key) ?? 0;
  }

  /** Keys that wait for nothing are remembered until the others have spent as much. */
  #forget(): void {
    for (const [key, spent] of this.#spent) {
      if (spent <= this.#now && !this.#queues.has(key)) this.#spent.delete(key);
    }
  }
}
