import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import { troubles } from "#db/schema/troubles.ts";
import type { Deps } from "#src/base/deps.ts";
import { lately } from "#src/operate/checks/noted-checks.ts";
import { inTime } from "#src/operate/work/queues.ts";

// Decision: what operators were told of is remembered in the database and in Redis. The first of them that answers decides which process
// tells, so one does, whichever is away; where both are, each process tells for itself.

/** What is wrong, since when, and when it was seen last. */
const fault = v.object({ what: v.string(), sinceMs: v.number(), seenAtMs: v.number() });
export type Fault = v.InferOutput<typeof fault>;

/** A hash of Redis: the parts by name, each with its fault. */
const KEY = "alerts:told";
const milliseconds = (moment: SQL) => sql<number>`(extract(epoch FROM ${moment}) * 1000)::float8`;
const isTold = sql`${troubles.toldAt} IS NOT NULL`;
const isSeen = sql`${troubles.endedAt} IS NULL AND ${troubles.seenAt} > ${lately}`;

/** The faults that operators were told of, and not yet that they are over. `isNoted`: the database can be used. */
export class ToldFaults {
  readonly #deps: Pick<Deps, "pool" | "redis">;
  /** What this process has told while neither could be asked. */
  readonly #alone = new Map<string, Fault>();

  constructor(deps: Pick<Deps, "pool" | "redis">) {
    this.#deps = deps;
  }

  /** By their parts. */
  async list(isNoted: boolean): Promise<Map<string, Fault>> {
    const { pool, redis } = this.#deps;
    const columns = {
      part: troubles.part,
      what: sql<string>`max(${troubles.what})`,
      sinceMs: milliseconds(sql`min(${troubles.since})`),
      seenAtMs: milliseconds(sql`max(coalesce(${troubles.endedAt}, ${troubles.seenAt}))`),
    };
    const [inRedis, inDatabase] = await Promise.all([
      inTime(redis.hgetall(KEY)),
      isNoted ? inTime(pool.db.select(columns).from(troubles).where(isTold).groupBy(troubles.part)) : null,
    ]);
    const told = new Map(this.#alone);
    for (const { part, ...found } of inDatabase ?? []) told.set(part, found);
    for (const [part, text] of Object.entries(inRedis ?? {})) {
      const { seenAtMs, ...found } = v.parse(fault, JSON.parse(text));
      // It has what was told; the row of the database what was seen last.
      told.set(part, { ...found, seenAtMs: Math.max(seenAtMs, told.get(part)?.seenAtMs ?? 0) });
    }
    return told;
  }

  /** Tells the others what this process has told alone. */
  async share(): Promise<void> {
    for (const [part, told] of this.#alone) {
      if ((await inTime(this.#deps.redis.hsetnx(KEY, part, JSON.stringify(told)))) !== null)
        this.#alone.delete(part);
    }
  }

  /** @returns true if this process tells. */
  async begin(part: string, told: Fault, isNoted: boolean): Promise<boolean> {
    const [noted, agreed] = await Promise.all([
      isNoted
        ? this.#mark(and(eq(troubles.part, part), isSeen, isNull(troubles.toldAt)), sql`game_now()`)
        : null,
      inTime(this.#deps.redis.hsetnx(KEY, part, JSON.stringify(told))),
    ]);
    if (noted === null && agreed === null) this.#alone.set(part, told);
    return noted ?? agreed !== 0;
  }

  /** Remembers when it was seen last: a process that does not see it may be about to tell that it is over. */
  async see(part: string, told: Fault): Promise<void> {
    await inTime(this.#deps.redis.hset(KEY, part, JSON.stringify(told)));
  }

  /** @returns true if this process tells. */
  async end(part: string): Promise<boolean> {
    const [noted, agreed] = await Promise.all([
      this.#mark(and(eq(troubles.part, part), isTold), null),
      inTime(this.#deps.redis.hdel(KEY, part)),
    ]);
    return [noted, agreed === 1, this.#alone.delete(part)].includes(true);
  }

  /** Null without an answer. */
  async #mark(which: SQL | undefined, toldAt: SQL | null): Promise<boolean | null> {
    const marking = this.#deps.pool.db.update(troubles).set({ toldAt }).where(which);
    const marked = await inTime(marking.returning({ id: troubles.id }));
    return marked === null ? null : marked.length > 0;
  }
}
