import { createBatcher } from "./batcher.ts";

const BATCH_MAX = 256;
/** A batch that waits for a lock does not hold up other reads. */
const SLOW_MS = 50;

/**
 * Lets callers of the same moment share reads of the database. Example: 30 players who open the list of sessions together cost
 * one query. A read begins after all of its callers have asked, so it is never older than a read of their own.
 * @param keyOf callers with the same key share one read.
 * @param read reads for the callers of one key, at least one. It returns what gives each of them its answer.
 * @returns a function that takes the database to read from, or what contains it, and what the caller asks for.
 */
export function batchReads<Owner extends object, Asked, Answer>(
  keyOf: (asked: Asked) => unknown,
  read: (owner: Owner, callers: readonly [Asked, ...Asked[]]) => Promise<(asked: Asked) => Answer>,
): (owner: Owner, asked: Asked) => Promise<Answer> {
  const answerGroup = async (owner: Owner, group: readonly (readonly [number, Asked])[]) => {
    const [first, ...others] = group;
    if (first === undefined) return [];
    const answerFor = await read(owner, [first[1], ...others.map(([, asked]) => asked)]);
    return group.map(([index, asked]) => ({ index, answer: answerFor(asked) }));
  };
  return createBatcher(
    BATCH_MAX,
    async (owner: Owner, asked: readonly Asked[]) => {
      const groups = Map.groupBy([...asked.entries()], ([, each]) => keyOf(each));
      const answers = await Promise.all([...groups.values()].map((group) => answerGroup(owner, group)));
      return answers
        .flat()
        .toSorted((one, other) => one.index - other.index)
        .map(({ answer }) => answer);
    },
    { slowMs: SLOW_MS, collects: true },
  );
}
