import { and, eq, isNull } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { scores } from "#db/schema/scores.ts";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { changeOf } from "#src/http/money.ts";
import { writeNotifications } from "#src/notifications/write-notifications.ts";
import type { SessionRow } from "./with-session.ts";

/** Robots read nothing, and who is gone neither. */
const reads = and(eq(users.robot, false), isNull(users.deactivatedAt));

/** Tells whoever has joined a session that it begins. */
export async function notifyLive(tx: Transaction, session: SessionRow): Promise<void> {
  const players = await tx
    .select({ userId: registrations.userId })
    .from(registrations)
    .innerJoin(users, eq(users.id, registrations.userId))
    .where(and(eq(registrations.sessionId, session.id), reads));
  await writeNotifications(
    tx,
    players.map(({ userId }) => ({
      userId,
      kind: "session_live" as const,
      title: `${session.name} is live`,
      body: "The first action opens in a moment.",
      url: `/sessions/${session.slug}`,
    })),
  );
}

/** Tells whoever has played a session how it went, when it ends; what waits for its result then is not yet in it. */
export async function notifyResults(tx: Transaction, session: SessionRow): Promise<void> {
  const waiting = and(eq(events.sessionId, session.id), eq(events.state, "closed"));
  const sofar = (await tx.$count(events, waiting)) > 0 ? " so far" : "";
  const players = await tx
    .select({ userId: scores.userId, wins: scores.wins, losses: scores.losses, netCents: scores.netCents })
    .from(scores)
    .innerJoin(users, eq(users.id, scores.userId))
    .where(and(eq(scores.sessionId, session.id), reads));
  await writeNotifications(
    tx,
    players.map(({ userId, wins, losses, netCents }) => ({
      userId,
      kind: "result" as const,
      title: `${session.name} is over`,
      body: `You won ${wins} and lost ${losses}${sofar}: ${changeOf(netCents)}.`,
      url: `/sessions/${session.slug}/history`,
    })),
  );
}
