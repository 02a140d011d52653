import { desc, eq, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { breakUntil } from "#db/on-break.ts";
import { pick } from "#db/pick.ts";
import { blobs } from "#db/schema/blobs.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { identities, users } from "#db/schema/users.ts";
import { notFound } from "#src/base/refusal.ts";
import { present } from "#src/http/present.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { NOTIFICATIONS_MAX } from "#src/people/notifications/contract.ts";
import { countUnread, findNotifications } from "#src/people/notifications/find-notifications.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { rolesOfUser } from "#src/people/users/roles-of-user.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { OWN_CALLS_MAX } from "./contract.ts";
import { profileSchema, type ProfileView } from "./schemas.ts";

const OWN_SESSIONS_MAX = 50;

/**
 * Finds a user with wallet, newest calls, joined sessions and notifications. Only the user and admins may see it; the
 * caller checks that. Notifications are their user's alone: in a profile that an admin reads there are none.
 *
 * `profiles` is a room of its own because a profile combines wallet, calls and sessions, and `users` comes before all
 * of them.
 */
export async function findProfile(
  db: Queryable,
  { userId, viewer }: { userId: number; viewer: { id: number } },
  now: Date,
): Promise<ProfileView> {
  const newestCalls = { userId, page: { limit: OWN_CALLS_MAX, offset: 0 } };
  const user = await findUser(db, userId);
  const [wallet, calls, joined, notified] = await Promise.all([
    findWalletView(db, userId),
    findCallViews(db, newestCalls, now),
    findJoinedSessions(db, userId),
    viewer.id === userId ? findOwnNotifications(db, userId) : { notifications: [], notificationCount: 0 },
  ]);
  return present(profileSchema, { ...user, wallet, calls, sessions: joined, ...notified });
}

async function findOwnNotifications(
  db: Queryable,
  userId: number,
): Promise<Pick<ProfileView, "notifications" | "notificationCount">> {
  const [newest, unread] = await Promise.all([
    findNotifications(db, userId, NOTIFICATIONS_MAX),
    countUnread(db, [userId]),
  ]);
  return { notifications: newest, notificationCount: unread.get(userId) ?? 0 };
}

async function findUser(db: Queryable, userId: number) {
  const [user] = await db
    .select({
      ...pick(users, "email", "username", "phone", "avatar"),
      avatarPending: sql<boolean>`coalesce((SELECT NOT b.picture FROM ${blobs} b WHERE b.id = ${users.avatarBlobId}), FALSE)`,
      ...pick(users, "guest", "confirmedAt", "lockedAt", "deactivatedAt", "mergedInto", "createdAt"),
      ...pick(users, "updatedAt", "version"),
      breakUntil: breakUntil(sql`users.id`),
      roles: rolesOfUser,
      linked: sql<boolean>`EXISTS (SELECT 1 FROM ${identities} i WHERE i.user_id = users.id)`,
    })
    .from(users)
    .where(eq(users.id, userId));
  if (user === undefined) throw notFound();
  return { ...user, id: userId, gid: gidOf(userId), avatar: presentAvatar(user.avatar) };
}

function findJoinedSessions(db: Queryable, userId: number): Promise<ProfileView["sessions"]> {
  return db
    .select({ id: sessions.id, slug: sessions.slug, name: sessions.name })
    .from(registrations)
    .innerJoin(sessions, eq(sessions.id, registrations.sessionId))
    .where(eq(registrations.userId, userId))
    .orderBy(desc(registrations.id))
    .limit(OWN_SESSIONS_MAX);
}
