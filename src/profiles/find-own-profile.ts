import { desc, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { findCallViews } from "#src/calls/find-call-views.ts";
import { presentAvatar } from "#src/users/present-avatar.ts";
import type { Viewer } from "#src/users/viewer.ts";
import { findWalletView } from "#src/wallet/find-wallet-view.ts";
import { OWN_CALLS_MAX, type ProfileView } from "./contract.ts";

const OWN_SESSIONS_MAX = 50;

/** What the viewer may know about themselves: the user, the wallet, the newest calls and the sessions joined. */
export async function findOwnProfile(db: Queryable, viewer: Viewer, now: Date): Promise<ProfileView> {
  const newestCalls = { userId: viewer.id, page: { limit: OWN_CALLS_MAX, offset: 0 } };
  const [[user], wallet, calls, joined] = await Promise.all([
    db
      .select({ phone: users.phone, createdAt: users.createdAt, updatedAt: users.updatedAt })
      .from(users)
      .where(eq(users.id, viewer.id)),
    findWalletView(db, viewer.id),
    findCallViews(db, newestCalls, now),
    findJoinedSessions(db, viewer.id),
  ]);
  if (user === undefined) throw new Error("a viewer has a row");
  return {
    id: viewer.id,
    gid: viewer.gid,
    email: viewer.email,
    username: viewer.username,
    phone: user.phone,
    avatar: presentAvatar(),
    roles: viewer.roles,
    guest: viewer.guest,
    // Nothing is notified yet.
    notificationCount: 0,
    notifications: [],
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
    wallet,
    calls,
    sessions: joined,
  };
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
