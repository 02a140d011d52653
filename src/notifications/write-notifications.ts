import type { Queryable } from "#db/client.ts";
import { notifications } from "#db/schema/notifications.ts";
import { writeFact } from "#src/outbox/write-fact.ts";
import type { NotificationKind } from "./contract.ts";

const WRITTEN_AT_ONCE = 1_000;

/** What a player is to read, and where it leads. */
export type NewNotification = {
  userId: number;
  kind: NotificationKind;
  title: string;
  body: string;
  /** A path of ours. */
  url: string | null;
};

/**
 * Writes notifications in the transaction that makes them true, however many there are. After the commit
 * `deps.notifyRelay()` has them told at once.
 */
export async function writeNotifications(tx: Queryable, rows: readonly NewNotification[]): Promise<void> {
  for (let start = 0; start < rows.length; start += WRITTEN_AT_ONCE) {
    const written = await tx
      .insert(notifications)
      .values(rows.slice(start, start + WRITTEN_AT_ONCE))
      .returning({ id: notifications.id });
    await writeFact(tx, { kind: "notifications_created", notificationIds: written.map(({ id }) => id) });
  }
}
