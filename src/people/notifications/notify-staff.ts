import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import type { Role } from "#db/lists/users.ts";
import { userRoles, users } from "#db/schema/users.ts";
import { type NewNotification, writeNotifications } from "./write-notifications.ts";

/** Notifies all active admins and operators of something that needs their attention. @param roles who of them. */
export async function notifyStaff(
  tx: Queryable,
  notification: Pick<NewNotification, "title" | "body" | "url">,
  roles: readonly Role[] = ["admin", "operator"],
): Promise<void> {
  const staff = await tx
    .selectDistinct({ id: users.id })
    .from(users)
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .where(and(inArray(userRoles.role, [...roles]), isNull(users.deactivatedAt)))
    .orderBy(asc(users.id));
  await writeNotifications(
    tx,
    staff.map(({ id }) => ({ userId: id, kind: "announcement", ...notification })),
  );
}
