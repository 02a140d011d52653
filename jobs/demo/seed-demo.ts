import { isNull } from "drizzle-orm";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { openPast, type Past } from "./past.ts";
import { seedBlueprints } from "./seed-blueprints.ts";
import { seedHistory } from "./seed-history.ts";
import { seedPlayers } from "./seed-players.ts";

/** The number under which processes that seed wait for each other. */
const SEED_GATE = 7704;

/**
 * Fills the database with the demo's people, robots, blueprints, played sessions and the one to come. What is there stays
 * as it is: seeding again changes nothing.
 */
export async function seedDemo(deps: Deps): Promise<void> {
  const now = new Date();
  const past = openPast(deps);
  try {
    await past.pool.sql`SELECT pg_advisory_lock(${SEED_GATE}::int)`;
    const [session] = await past.pool.db.select({ id: sessions.id }).from(sessions).limit(1);
    await seedPlayers(past, now);
    await seedBlueprints(past.pool.db);
    await seedHistory(past, now);
    if (session === undefined) await forgetFacts(past);
  } finally {
    await past.close();
  }
}

/** In a database that was empty nobody has been listening: there is no one to tell what happened days ago. */
async function forgetFacts({ pool }: Past): Promise<void> {
  await pool.db.update(outbox).set({ sentAt: new Date() }).where(isNull(outbox.sentAt));
}
