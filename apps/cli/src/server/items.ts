interface Page<Item> {
  items: Item[];
  nextCursor?: string | undefined;
}

/** All items of a list, read page by page as they are needed. */
export async function* itemsOf<Item>(
  list: (page: { limit: number; cursor?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 200, ...(cursor !== undefined && { cursor }) });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

export async function allItems<Item>(
  list: (page: { limit: number; cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of itemsOf(list)) items.push(item);
  return items;
}
