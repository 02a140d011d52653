import { createHash } from "node:crypto";
import { and, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { payments } from "#db/schema/payments.ts";
import { breaks } from "#db/schema/spending.ts";
import type { Deps } from "#src/base/deps.ts";
import { conflict, Refusal } from "#src/base/refusal.ts";
import { findOwnPayment } from "./find-payment-views.ts";
import { providerOf } from "./provider-of.ts";
import type { Provider, WebhookMessage } from "./provider.ts";
import { noteUnheard, receive } from "./receive-webhook.ts";

/** A message comes within seconds. */
const MINUTES_MIN = 3;
/** A checkout has ended after a day. */
const HOURS_MAX = 25;
/** Of so many of the newest payments, those that are pending. */
const NEWEST = 900;
const BATCH_SIZE = 50;
/** No checkout that was open when a break began is open for longer. */
const CHECKOUT_MINUTES = 70;

/**
 * Asks the provider about payments that are pending for minutes: its messages may be refused, or go to another address. What it answers
 * is booked as its message would be, once. Each payment is asked about at 3 minutes, and whenever it has become twice as old: most of those
 * that are pending were given up by the player.
 */
export async function askAboutPending(deps: Deps): Promise<void> {
  const minutes = sql`extract(epoch FROM clock_timestamp() - ${payments.createdAt}) / 60`;
  // The task runs each minute, and may leave one out.
  const isDue = sql`${minutes} - ${MINUTES_MIN} * 2 ^ floor(log(2, greatest(${minutes} / ${MINUTES_MIN}, 1)::numeric)) < 2`;
  const which = sql`${minutes} BETWEEN ${MINUTES_MIN} AND ${HOURS_MAX * 60} AND ${isDue}
    AND ${payments.id} > (SELECT max(id) FROM ${payments}) - ${NEWEST}`;
  await askProvider(deps, which, { end: false });
}

/**
 * Ends the checkouts of players whose break has begun, so that they cannot be paid any more. One that is paid in the same moment is
 * booked. While the provider is away the next run tries again.
 */
export async function endCheckoutsOnBreak(deps: Deps): Promise<void> {
  const onBreak = sql`${payments.userId} IN (SELECT ${breaks.userId} FROM ${breaks} WHERE ${breaks.endsAt} > game_now()
    AND ${breaks.beganAt} > game_now() - make_interval(mins => ${CHECKOUT_MINUTES}))`;
  await askProvider(deps, onBreak, { end: true });
}

/**
 * Ends the player's own open checkout, so that it cannot be paid any more and takes nothing of a limit. One that is paid in the same moment is
 * booked, and one that has ended stays as it is.
 * @throws Refusal 404 for an unknown payment; 409 for one whose checkout was not begun, that another provider took, or whose money is on its way;
 *   503 where the provider cannot be reached.
 */
export async function endOwnCheckout(
  deps: Deps,
  asked: { viewer: { id: number }; reference: string },
): Promise<void> {
  const { state, checkoutUrl, ...payment } = await findOwnPayment(deps.pool.db, asked);
  if (state !== "pending") return;
  const provider = providerOf(deps.env);
  if (checkoutUrl === null || payment.provider !== provider.name)
    throw conflict("This payment has no checkout to end.");
  const message = await provider.askAbout({ ...payment, checkoutUrl }, { end: true });
  if (message === null) throw conflict("You have paid, and your bank has not said yes yet. Wait for it.");
  await receiveAnswer(deps, provider, message);
}

/** Asks about each of these payments that has a checkout and is pending. */
async function askProvider(deps: Deps, which: SQL, how: { end: boolean }): Promise<void> {
  const { env, pool, log } = deps;
  if (env.payments.provider === "none") return;
  const provider = providerOf(env);
  const isOpen = and(
    eq(payments.state, "pending"),
    eq(payments.provider, provider.name),
    isNotNull(payments.checkoutUrl),
  );
  const found = await pool.db
    .select()
    .from(payments)
    .where(and(isOpen, which))
    .orderBy(desc(payments.id))
    .limit(BATCH_SIZE);
  for (const { id, checkoutUrl, ...payment } of found) {
    try {
      const message = await provider.askAbout({ ...payment, checkoutUrl: checkoutUrl ?? "" }, how);
      if (message === null) continue;
      await receiveAnswer(deps, provider, message);
      if (!how.end && message.outcome?.type === "succeeded")
        noteUnheard(
          pool.db,
          provider,
          "Its messages do not come: it had to be asked about a payment that was paid.",
        );
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

/** Applies what the provider has said when it was asked. */
async function receiveAnswer(deps: Deps, { name }: Provider, message: WebhookMessage): Promise<void> {
  const sha256 = createHash("sha256").update(JSON.stringify(message)).digest("hex");
  await receive(deps, { ...message, provider: name, sha256 });
  deps.notifyRelay();
}
