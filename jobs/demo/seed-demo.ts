import { isNull } from "drizzle-orm";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { openPast, type Past } from "./past.ts";
import { seedBlueprints } from "./seed-blueprints.ts";
import { seedHistory } from "./seed-history.ts";
import { seedPlayers } from "./seed-players.ts";
import { seedSeasons } from "./seed-seasons.ts";

/** An advisory lock: processes seed one after the other. */
const SEED_LOCK = 7704;

/**
 * Fills the database with the demo's users, robots, blueprints, past sessions, the upcoming one and seasons. Existing rows stay as
 * they are; seeding again changes nothing.
 */
export async function seedDemo(deps: Deps): Promise<void> {
  const now = new Date();
  const past = openPast(deps);
  try {
    await past.pool.sql`SELECT pg_advisory_lock(${SEED_LOCK}::int)`;
    const [session] = await past.pool.db.select({ id: sessions.id }).from(sessions).limit(1);
    await seedPlayers(past, now);
    await seedBlueprints(past.pool.db);
    await seedHistory(past, now);
    await seedSeasons(past, now);
    if (session === undefined) await markFactsSent(past);
  } finally {
    await past.close();
  }
}

/** In a new database no client waits for the facts of the past, so they are not broadcast. */
async function markFactsSent({ pool }: Past): Promise<void> {
  await pool.db.update(outbox).set({ sentAt: new Date() }).where(isNull(outbox.sentAt));
}
