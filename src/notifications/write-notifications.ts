import type { Queryable } from "#db/client.ts";
import { notifications } from "#db/schema/notifications.ts";

const WRITTEN_AT_ONCE = 1_000;

/** What a player is to read, and where it leads. */
export type NewNotification = {
  userId: number;
  kind: (typeof notifications.$inferInsert)["kind"];
  title: string;
  body: string;
  /** A path of ours. */
  url: string | null;
};

/** Writes notifications in the transaction that makes them true, however many there are. */
export async function writeNotifications(tx: Queryable, rows: readonly NewNotification[]): Promise<void> {
  for (let start = 0; start < rows.length; start += WRITTEN_AT_ONCE) {
    await tx.insert(notifications).values(rows.slice(start, start + WRITTEN_AT_ONCE));
  }
}
