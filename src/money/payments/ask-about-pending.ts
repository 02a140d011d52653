import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { payments } from "#db/schema/payments.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { providerOf } from "./provider-of.ts";
import { receiveAnswer } from "./receive-webhook.ts";

/** A message comes within seconds. */
const MINUTES_MIN = 3;
/** A checkout has ended after a day. */
const HOURS_MAX = 25;
/** Of so many of the newest payments, those that are pending. */
const NEWEST = 900;
const BATCH_SIZE = 50;

/**
 * Asks the provider about payments that are pending for minutes: its messages may be refused, or go to another address. What it answers
 * is booked as its message would be, once. Each payment is asked about at 3 minutes, and whenever it has become twice as old: most of those
 * that are pending were given up by the player.
 */
export async function askAboutPending(deps: Deps): Promise<void> {
  const { env, pool, log } = deps;
  if (env.payments.provider === "none") return;
  const provider = providerOf(env);
  const minutes = sql`extract(epoch FROM clock_timestamp() - ${payments.createdAt}) / 60`;
  // The task runs each minute, and may leave one out.
  const isDue = sql`${minutes} - ${MINUTES_MIN} * 2 ^ floor(log(2, greatest(${minutes} / ${MINUTES_MIN}, 1)::numeric)) < 2`;
  const due = await pool.db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.state, "pending"),
        eq(payments.provider, provider.name),
        isNotNull(payments.checkoutUrl),
        sql`${payments.id} > (SELECT max(id) FROM ${payments}) - ${NEWEST}`,
        sql`${minutes} BETWEEN ${MINUTES_MIN} AND ${HOURS_MAX * 60}`,
        isDue,
      ),
    )
    .orderBy(desc(payments.id))
    .limit(BATCH_SIZE);
  for (const { id, checkoutUrl } of due) {
    try {
      const message = await provider.askAbout({ checkoutUrl: checkoutUrl ?? "" });
      if (message === null) continue;
      await receiveAnswer(deps, message);
      if (message.outcome?.type === "succeeded")
        provider.notHeard("Its messages do not come: it had to be asked about a payment that was paid.");
    } catch (error) {
      log.warn(
        { err: error, payment: id },
        "the provider was asked about a payment that is pending, in vain",
      );
      // It is away: the others can wait too.
      if (error instanceof Refusal && error.status === 503) return;
    }
  }
}
