import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { troubles } from "#db/schema/troubles.ts";

// Decision: what is wrong is a row that all processes share. So it is said once, however many see it, operators read in one place
// what any process suffers from, and afterwards they read when it was.

/** Something that is wrong with a part of the product. */
export type Trouble = {
  part: string;
  /** The process that it is about; empty: the product as a whole. */
  process: string;
  /** "redis away" */
  what: string;
  detail: string | null;
  cure: string;
  since: Date;
};

/** Names a part, and the process that it is about. */
export type PartOf = Pick<Trouble, "part" | "process">;

const open = isNull(troubles.endedAt);

/** Notes what is wrong. @returns what no process has noted before. */
export async function noteTroubles(db: Queryable, seen: readonly Trouble[]): Promise<PartOf[]> {
  if (seen.length === 0) return [];
  const noted = await db
    .insert(troubles)
    .values([...seen])
    .onConflictDoUpdate({
      target: [troubles.part, troubles.process],
      targetWhere: sql`ended_at IS NULL`,
      set: {
        what: sql`excluded.what`,
        detail: sql`excluded.detail`,
        cure: sql`excluded.cure`,
        seenAt: sql`game_now()`,
      },
    })
    .returning({
      part: troubles.part,
      process: troubles.process,
      // A row that was there before has the transaction that has changed it.
      isNew: sql<boolean>`xmax = 0`,
    });
  return noted.filter(({ isNew }) => isNew);
}

/** Notes that this is still wrong. @returns what no process has seen to work meanwhile. */
export async function stillTroubled(db: Queryable, seen: readonly Trouble[]): Promise<PartOf[]> {
  const updates = seen.map(({ part, process, what, detail, cure }) =>
    db
      .update(troubles)
      .set({ what, detail, cure, seenAt: sql`game_now()` })
      .where(and(open, eq(troubles.part, part), eq(troubles.process, process)))
      .returning({ part: troubles.part, process: troubles.process }),
  );
  return (await Promise.all(updates)).flat();
}

/** Notes that these parts work. @returns those that did not. */
export async function endTroubles(db: Queryable, parts: readonly PartOf[]): Promise<PartOf[]> {
  const byProcess = Map.groupBy(parts, ({ process }) => process);
  const which = [...byProcess].map(([process, of]) =>
    and(
      eq(troubles.process, process),
      inArray(
        troubles.part,
        of.map(({ part }) => part),
      ),
    ),
  );
  if (which.length === 0) return [];
  return db
    .update(troubles)
    .set({ endedAt: sql`game_now()` })
    .where(and(open, or(...which)))
    .returning({ part: troubles.part, process: troubles.process });
}

/** Notes what was wrong while nothing could be noted, and is over. */
export async function noteOver(db: Queryable, over: readonly Trouble[]): Promise<void> {
  if (over.length > 0)
    await db.insert(troubles).values(over.map((each) => ({ ...each, endedAt: sql`game_now()` })));
}
