/** Items that wait, in a queue of their own for each key. Keys take turns, so that many items of one key do not delay another key. */
export class FairQueue<Item> {
  /** The first key is the next one to be served. */
  readonly #queues = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(key: string): boolean {
    return this.#queues.has(key);
  }

  includes(key: string, item: Item): boolean {
    return this.#queues.get(key)?.includes(item) ?? false;
  }

  add(key: string, item: Item): void {
    const queue = this.#queues.get(key);
    if (queue) queue.push(item);
    else this.#queues.set(key, [item]);
    this.#size += 1;
  }

  /** The oldest item of the first key whose item may be served. It stays in the queue until it is removed. */
  next(mayServe: (item: Item) => boolean = () => true): Item | undefined {
    for (const [first] of this.#queues.values()) {
      if (first !== undefined && mayServe(first)) return first;
    }
    return undefined;
  }

  /** Removes the next item, and gives the turn to the next key. */
  shift(): Item | undefined {
    const [entry] = this.#queues;
    const item = entry?.[1][0];
    if (entry !== undefined && item !== undefined) this.remove(entry[0], item);
    return item;
  }

  /** Removes all items. */
  drain(): Item[] {
    const items = [...this.#queues.values()].flat();
    this.#queues.clear();
    this.#size = 0;
    return items;
  }

  /** Removes an item. If it was the next one of its key, the key goes to the end of the line. */
  remove(key: string, item: Item): void {
    const queue = this.#queues.get(key);
    const position = queue?.indexOf(item) ?? -1;
    if (queue === undefined || position < 0) return;
    queue.splice(position, 1);
    this.#size -= 1;
    if (position > 0) return;
    this.#queues.delete(key);
    if (queue.length > 0) this.#queues.set(key, queue);
  }
}
