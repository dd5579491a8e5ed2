/**
 * Items that wait, in a queue of their own for each key. Keys take turns, so that many items of one key do not delay another key. With
 * costs, the key whose items have cost the least is next, so that a key with expensive items gets fewer turns. A key that was idle has
 * saved nothing: it begins where the others are.
 */
export class FairQueue<Item> {
  readonly #costOf: (item: Item) => number;
  readonly #queues = new Map<string, Item[]>();
  /** The account of each key. All accounts begin at the account of the key that was served last. */
  readonly #spent = new Map<string, number>();
  #now = 0;
  #size = 0;

  constructor(costOf: (item: Item) => number = () => 1) {
    this.#costOf = costOf;
  }

  get size(): number {
    return this.#size;
  }

  has(key: string): boolean {
    return this.#queues.has(key);
  }

  includes(key: string, item: Item): boolean {
    return this.#queues.get(key)?.includes(item) ?? false;
  }

  sizeOf(key: string): number {
    return this.#queues.get(key)?.length ?? 0;
  }

  add(key: string, item: Item): void {
    this.#size += 1;
    const queue = this.#queues.get(key);
    if (queue) {
      queue.push(item);
      return;
    }
    this.#queues.set(key, [item]);
    this.#spent.set(key, Math.max(this.#now, this.#spentBy(key)));
  }

  /** The oldest item of the next key whose item may be served. It stays in the queue until it is removed. */
  next(mayServe: (item: Item) => boolean = () => true): Item | undefined {
    let next: { item: Item; spent: number } | undefined;
    for (const [key, [item]] of this.#queues) {
      const spent = this.#spentBy(key);
      if (item !== undefined && spent < (next?.spent ?? Number.POSITIVE_INFINITY) && mayServe(item))
        next = { item, spent };
    }
    return next?.item;
  }

  /** Removes the next item, and gives the turn to the next key. */
  shift(): Item | undefined {
    const item = this.next();
    for (const [key, [first]] of this.#queues) {
      if (item !== undefined && first === item) this.remove(key, item);
    }
    return item;
  }

  /** Removes all items. */
  drain(): Item[] {
    const items = [...this.#queues.values()].flat();
    this.#queues.clear();
    this.#size = 0;
    return items;
  }

  /** Removes an item. If it was the next one of its key, the key has had its turn. */
  remove(key: string, item: Item): void {
    const queue = this.#queues.get(key);
    const position = queue?.indexOf(item) ?? -1;
    if (queue === undefined || position < 0) return;
    queue.splice(position, 1);
    this.#size -= 1;
    if (queue.length === 0) this.#queues.delete(key);
    if (position === 0) this.#charge(key, this.#costOf(item));
  }

  /** Adds a cost that is known only after the item was served. */
  chargeLater(key: string, cost: number): void {
    this.#spent.set(key, Math.max(this.#now, this.#spentBy(key)) + cost);
  }

  #charge(key: string, cost: number): void {
    const spent = this.#spentBy(key);
    this.#now = Math.max(this.#now, spent);
    this.#spent.set(key, spent + cost);
    // Keys that wait for nothing are remembered until the others have spent as much.
    for (const [other, amount] of this.#spent) {
      if (amount <= this.#now && !this.#queues.has(other)) this.#spent.delete(other);
    }
  }

  #spentBy(key: string): number {
    return this.#spent.get(key) ?? 0;
  }
}
