import { and, asc, eq, isNull } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { writeAudit } from "#src/audit.ts";
import type { Deps } from "#src/deps.ts";
import type { AnnouncementAnswer } from "./contract.ts";
import { writeNotifications } from "./write-notifications.ts";

/** Tells everybody something, guests included: whoever announces it hears it too. Robots read nothing. */
export async function announce(
  deps: Deps,
  { title, body, actor }: { title: string; body: string; actor: { id: number } },
): Promise<AnnouncementAnswer> {
  const recipientsCount = await inTransaction(deps.pool.db, async (tx) => {
    const readers = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.robot, false), isNull(users.deactivatedAt)))
      .orderBy(asc(users.id));
    await writeNotifications(
      tx,
      readers.map(({ id }) => ({ userId: id, kind: "announcement" as const, title, body, url: null })),
    );
    await writeAudit(tx, {
      actor,
      action: "announce",
      subject: { type: "user", id: actor.id },
      sessionId: null,
      before: {},
      after: { title, body, recipientsCount: readers.length },
    });
    return readers.length;
  });
  deps.ringOutbox();
  return { announcement: { title, body, recipientsCount } };
}
