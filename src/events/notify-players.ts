import type { Transaction } from "#db/client.ts";
import { changeOf, currencyOf } from "#src/http/money.ts";
import { writeNotifications } from "#src/notifications/write-notifications.ts";
import type { LockedEvent } from "./with-event.ts";

type About = Pick<LockedEvent, "event" | "session">;

/** Tells every player whose wagers on an event came back how much it was, and why. */
export async function notifyRefunds(
  tx: Transaction,
  { event, session }: About,
  refunds: readonly { userId: number; amountCents: number }[],
  reason: string | null,
): Promise<void> {
  await writeNotifications(
    tx,
    refunds.map(({ userId, amountCents }) => ({
      userId,
      kind: "refund" as const,
      title: `Refunded: ${event.title}`,
      body: sentences(`${currencyOf(amountCents)} is back in your wallet.`, reason),
      url: historyOf(session),
    })),
  );
}

/** Tells every player whom a correction pays differently by how much, and why. `now` says how the event stands: "Now False." */
export async function notifyCorrections(
  tx: Transaction,
  { event, session }: About,
  corrections: readonly { userId: number; changeCents: number }[],
  { now, reason }: { now: string; reason: string | null },
): Promise<void> {
  await writeNotifications(
    tx,
    corrections.map(({ userId, changeCents }) => ({
      userId,
      kind: "correction" as const,
      title: `Result corrected: ${event.title}`,
      body: sentences(now, `${changeOf(changeCents)}.`, reason),
      url: historyOf(session),
    })),
  );
}

const sentences = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(" ");
const historyOf = (session: LockedEvent["session"]) =>
  session === null ? null : `/sessions/${session.slug}/history`;
