import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { userRoles, users } from "#db/schema/users.ts";
import { type NewNotification, writeNotifications } from "./write-notifications.ts";

/** Tells every admin and operator something that is theirs to look at. */
export async function notifyStaff(
  tx: Queryable,
  what: Pick<NewNotification, "title" | "body" | "url">,
): Promise<void> {
  const staff = await tx
    .selectDistinct({ id: users.id })
    .from(users)
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .where(and(inArray(userRoles.role, ["admin", "operator"]), isNull(users.deactivatedAt)))
    .orderBy(asc(users.id));
  await writeNotifications(
    tx,
    staff.map(({ id }) => ({ userId: id, kind: "announcement", ...what })),
  );
}
