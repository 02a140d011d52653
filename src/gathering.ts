type Waiting<Item, Answer> = {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};
type Line<Item, Answer> = { waiting: Waiting<Item, Answer>[]; moving: boolean };

/**
 * For work that costs little more for many than for one: what arrives while a batch is at work forms the next one. A lone
 * item goes at once, and every item gets its own answer.
 * @param sizeMax how many go together at most.
 * @param work answers its items in their order. Where it fails, each half is tried again by itself, down to the one that
 *   fails alone; what it does must therefore be done as a whole or not at all.
 * @returns a function that takes an item and, first, whose line it stands in: each owner has a line of its own.
 */
export function gathering<Owner extends object, Item, Answer>(
  sizeMax: number,
  work: (owner: Owner, items: readonly Item[]) => Promise<readonly Answer[]>,
): (owner: Owner, item: Item) => Promise<Answer> {
  const lines = new WeakMap<Owner, Line<Item, Answer>>();

  const move = async (owner: Owner, line: Line<Item, Answer>) => {
    line.moving = true;
    while (line.waiting.length > 0) await perform(owner, line.waiting.splice(0, sizeMax));
    line.moving = false;
  };

  /** Never rejects: every member of the batch hears what became of it. */
  const perform = async (owner: Owner, batch: Waiting<Item, Answer>[]): Promise<void> => {
    try {
      const items = batch.map(({ item }) => item);
      const answers = await work(owner, items);
      if (answers.length !== batch.length) throw new Error("a batch must answer every member");
      for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer);
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error);
      const half = Math.ceil(batch.length / 2);
      await perform(owner, batch.slice(0, half));
      await perform(owner, batch.slice(half));
    }
  };

  return (owner, item) => {
    const line = lines.get(owner) ?? { waiting: [], moving: false };
    lines.set(owner, line);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    line.waiting.push({ item, resolve, reject });
    if (!line.moving) void move(owner, line);
    return promise;
  };
}
