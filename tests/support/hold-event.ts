import { sql } from "drizzle-orm";
import { connect } from "#db/client.ts";

/** Takes an event's gate on a connection of its own, so that its timers are late. @returns releases it. */
export async function holdEvent(databaseUrl: string, eventId: number): Promise<() => Promise<void>> {
  const pool = connect(databaseUrl, { poolSize: 1 });
  const locked = Promise.withResolvers<void>();
  let released = false;
  const isReleased = () => released;
  const ended = pool.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT event_gate(${eventId})`);
    locked.resolve();
    // The product ends a transaction that keeps a gate and says nothing.
    while (!isReleased()) await tx.execute(sql`SELECT pg_sleep(0.2)`);
  });
  await Promise.race([locked.promise, ended]);
  return async () => {
    released = true;
    await ended;
    await pool.close();
  };
}
