import { isDatabaseAway } from "./database-away.ts";

type Waiting<Item, Answer> = {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};
type Line<Item, Answer> = { waiting: Waiting<Item, Answer>[]; moving: boolean };
/** How many may wait in a line, the batch at work not among them, and what the next one is refused with. */
export type Room = { waitingMax: number; whenFull: () => Error };

/**
 * For work that costs little more for many than for one: what arrives while a batch is at work forms the next one. A lone
 * item goes at once, and every item gets its own answer.
 * @param sizeMax how many go together at most.
 * @param work answers its items in their order. Where it fails, each half is tried again by itself, down to the one that
 *   fails alone; what it does must therefore be done as a whole or not at all. Where it fails because the database is away,
 *   all hear of it at once: trying one by one would keep those waiting who come after.
 * @returns a function that takes an item and, first, whose line it stands in: each owner has a line of its own. It has no end
 *   unless it is told how much room there is.
 */
export function createBatcher<Owner extends object, Item, Answer>(
  sizeMax: number,
  work: (owner: Owner, items: readonly Item[]) => Promise<readonly Answer[]>,
): (owner: Owner, item: Item, room?: Room) => Promise<Answer> {
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
      if (batch.length === 1 || isDatabaseAway(error)) return batch.forEach(({ reject }) => reject(error));
      const half = Math.ceil(batch.length / 2);
      await perform(owner, batch.slice(0, half));
      await perform(owner, batch.slice(half));
    }
  };

  return (owner, item, room) => {
    const line = lines.get(owner) ?? { waiting: [], moving: false };
    lines.set(owner, line);
    if (room !== undefined && line.waiting.length >= room.waitingMax) return Promise.reject(room.whenFull());
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    line.waiting.push({ item, resolve, reject });
    if (!line.moving) void move(owner, line);
    return promise;
  };
}
