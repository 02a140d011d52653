import { and, asc, eq, isNull, not, or } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { isOnBreak } from "#db/on-break.ts";
import { users } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type MaybeKeyed, once } from "#src/base/once.ts";
import type { AnnouncementAnswer } from "./schemas.ts";
import { writeNotifications } from "./write-notifications.ts";

export type Announcement = { title: string; body: string; actor: { id: number } };

const announcementOutcome = v.object({ recipientsCount: v.number() });

/**
 * Notifies all active users, including guests and the admin who announces it. Robots, and others who are on a break, are left out.
 * @returns the announcement with the number of recipients.
 * @throws Refusal 422 for a key that belongs to another announcement.
 */
export async function announce(
  deps: Deps,
  announcement: Announcement,
  keyed: MaybeKeyed = null,
): Promise<AnnouncementAnswer> {
  const { title, body } = announcement;
  const outcome = await inTransaction(deps.pool.db, (tx) =>
    once(tx, keyed, announcementOutcome, () => notifyEverybody(tx, announcement)),
  );
  deps.notifyRelay();
  return { announcement: { title, body, ...outcome } };
}

async function notifyEverybody(
  tx: Transaction,
  { title, body, actor }: Announcement,
): Promise<v.InferOutput<typeof announcementOutcome>> {
  const readers = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.robot, false),
        isNull(users.deactivatedAt),
        or(eq(users.id, actor.id), not(isOnBreak(users.id))),
      ),
    )
    .orderBy(asc(users.id));
  await writeNotifications(
    tx,
    readers.map(({ id }) => ({ userId: id, kind: "announcement" as const, title, body, url: null })),
  );
  await writeAudit(tx, {
    actor,
    action: "announce",
    subject: { type: "user", id: actor.id },
    after: { title, body, recipientsCount: readers.length },
  });
  return { recipientsCount: readers.length };
}
