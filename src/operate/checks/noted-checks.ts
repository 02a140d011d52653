import { hostname } from "node:os";
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Logger } from "pino";
import type { Queryable } from "#db/client.ts";
import { troubles } from "#db/schema/troubles.ts";
import type { Result } from "./check.ts";

// Decision: a check that finds something wrong is a row that all processes share, a trouble. So it is said once, however many see it,
// operators read in one place what any process suffers from, and afterwards they read when it was.

/** A trouble that nobody has seen for so long is over: its process has ended. */
const UNSEEN_MAX_SECONDS = 10;

type Row = typeof troubles.$inferSelect;

/** What a check has found wrong. `process`: the process that it is about; empty: the product as a whole. */
export type Trouble = Pick<Row, "part" | "process" | "what" | "detail" | "cure" | "since">;

/** Names a part, and the process that it is about. */
export type PartOf = Pick<Trouble, "part" | "process">;

const open = isNull(troubles.endedAt);
/** In SQL, beside `seen_at`: a process has seen it lately. */
export const lately = sql`game_now() - make_interval(secs => ${UNSEEN_MAX_SECONDS})`;
const namesPart = { part: troubles.part, process: troubles.process };

/** This process, as its troubles name it: "web-2 (process 4711 on host-a)". @param log of this process. */
export function ownProcess(log: Logger): string {
  return `${String(log.bindings()["name"])} (process ${process.pid} on ${hostname()})`;
}

/** What is wrong with a part, as it is noted. @param process that has found it. */
export function troubleOf(
  { check: { part, seenBy }, what, said, cure }: Result,
  { process, since }: { process: string; since: Date },
): Trouble {
  const detail = said === "" ? null : said;
  return { part, process: seenBy === undefined ? process : "", what, detail, cure, since };
}

/** What is wrong among these. @param seen by whom, and since when. */
export const troublesIn = (results: readonly Result[], seen: Parameters<typeof troubleOf>[1]): Trouble[] =>
  results.filter(({ severity }) => severity !== null).map((result) => troubleOf(result, seen));

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
    // A row that was there before has the transaction that has changed it.
    .returning({ ...namesPart, isNew: sql<boolean>`xmax = 0` });
  return noted.filter(({ isNew }) => isNew);
}

/** Notes that this is still wrong. @returns what no process has seen to work meanwhile. */
export async function stillTroubled(db: Queryable, seen: readonly Trouble[]): Promise<PartOf[]> {
  const updates = seen.map(({ part, process, what, detail, cure }) =>
    db
      .update(troubles)
      .set({ what, detail, cure, seenAt: sql`game_now()` })
      .where(and(open, eq(troubles.part, part), eq(troubles.process, process)))
      .returning(namesPart),
  );
  return (await Promise.all(updates)).flat();
}

/** Notes that these parts work. @returns those that did not. */
export async function endTroubles(db: Queryable, parts: readonly PartOf[]): Promise<PartOf[]> {
  if (parts.length === 0) return [];
  const which = [...Map.groupBy(parts, ({ process }) => process)].map(([process, of]) => {
    const names = of.map(({ part }) => part);
    return and(eq(troubles.process, process), inArray(troubles.part, names));
  });
  return db
    .update(troubles)
    .set({ endedAt: sql`game_now()` })
    .where(and(open, or(...which)))
    .returning(namesPart);
}

/** Notes what was wrong while nothing could be noted, and is over. */
export async function noteOver(db: Queryable, over: readonly Trouble[]): Promise<void> {
  if (over.length > 0)
    await db.insert(troubles).values(over.map((each) => ({ ...each, endedAt: sql`game_now()` })));
}

/** What is wrong now, the longest first. */
export function listTroubles(db: Queryable): Promise<Row[]> {
  return db
    .select()
    .from(troubles)
    .where(and(open, gt(troubles.seenAt, lately)))
    .orderBy(troubles.since, troubles.id);
}

/** What is over, the newest first. One whose process has ended is over since it was seen last. @param before those that began before this moment. */
export async function listPastTroubles(
  db: Queryable,
  limit: number,
  before?: Date,
): Promise<(Row & { endedAt: Date })[]> {
  const began = before === undefined ? undefined : lt(troubles.since, before);
  const rows = await db
    .select()
    .from(troubles)
    .where(and(began, or(isNotNull(troubles.endedAt), lte(troubles.seenAt, lately))))
    .orderBy(desc(troubles.since), desc(troubles.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, endedAt: row.endedAt ?? row.seenAt }));
}
