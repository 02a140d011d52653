import { and, eq, isNotNull } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { reminders } from "#db/schema/reminders.ts";
import { users } from "#db/schema/users.ts";
import { notFound } from "#src/base/refusal.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireOpenSession } from "#src/show/sessions/find-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import type { ReminderView } from "./schemas.ts";

type Planned = SessionRow & { startsAt: Date };

/** True for a session that is planned for a time and has not started. */
export function isPlanned(session: SessionRow | null | undefined): session is Planned {
  return session?.state === "pending" && session.startsAt !== null;
}

/** @throws Refusal 404 for every session that is not planned for a time or is shut for the viewer, so that nobody learns which others exist. */
export async function requirePlanned(
  db: Queryable,
  slugOrId: string,
  viewer: Pick<Viewer, "id" | "roles"> | null,
): Promise<Planned> {
  const session = await requireOpenSession(db, slugOrId, viewer);
  if (!isPlanned(session)) throw notFound();
  return session;
}

/**
 * When a planned session starts, and how this viewer is reminded of it; null: somebody who is signed out.
 * @throws Refusal 404 for a session that is not planned.
 */
export async function findReminder(
  db: Queryable,
  { slugOrId, viewer }: { slugOrId: string; viewer: Pick<Viewer, "id" | "roles"> | null },
): Promise<ReminderView> {
  const { id: sessionId, slug, name, startsAt } = await requirePlanned(db, slugOrId, viewer);
  const about = { sessionId, slug, name, startsAt: startsAt.toISOString() };
  if (viewer === null) return { ...about, isSet: false, way: null };
  const mine = and(eq(reminders.sessionId, sessionId), eq(reminders.userId, viewer.id));
  const [count, way] = await Promise.all([db.$count(reminders, mine), findWay(db, viewer.id)]);
  return { ...about, isSet: count > 0, way };
}

/** How a user is reached while no page is open. An address that nobody has confirmed may be somebody else's. */
export async function findWay(db: Queryable, userId: number): Promise<ReminderView["way"]> {
  if ((await db.$count(pushSubscriptions, eq(pushSubscriptions.userId, userId))) > 0) return "push";
  const reachable = and(eq(users.id, userId), isNotNull(users.email), isNotNull(users.confirmedAt));
  return (await db.$count(users, reachable)) > 0 ? "mail" : null;
}
