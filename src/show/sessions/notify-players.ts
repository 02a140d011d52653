import { and, eq, isNull } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { reminders } from "#db/schema/reminders.ts";
import { scores } from "#db/schema/scores.ts";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { formatChange, say } from "#src/http/contract.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import type { SessionRow } from "./with-session.ts";

/** Neither robots nor deactivated users get notifications. */
const receivesNotifications = and(eq(users.robot, false), isNull(users.deactivatedAt));

export async function notifyLive(tx: Transaction, session: SessionRow): Promise<void> {
  const players = await tx
    .select({ userId: registrations.userId })
    .from(registrations)
    .innerJoin(users, eq(users.id, registrations.userId))
    .where(and(eq(registrations.sessionId, session.id), receivesNotifications));
  await tell(tx, players, {
    kind: "session_live",
    title: say`${session.name} is live`,
    body: "The first question opens in a moment.",
    url: `/sessions/${session.slug}`,
  });
}

/** Notifies those who asked to be reminded of a session that it was deleted. */
export async function notifyCalledOff(tx: Transaction, { id, name }: SessionRow): Promise<void> {
  const asked = await tx
    .select({ userId: reminders.userId })
    .from(reminders)
    .innerJoin(users, eq(users.id, reminders.userId))
    .where(and(eq(reminders.sessionId, id), receivesNotifications));
  await tell(tx, asked, {
    kind: "reminder",
    title: say`${name} was called off`,
    body: "You asked to be reminded. There is nothing to come to.",
    url: null,
  });
}

/** Notifies all who were told that a session is over that it is not. */
export async function notifyGoesOn(tx: Transaction, session: SessionRow): Promise<void> {
  await tell(tx, await findScored(tx, session), {
    kind: "session_live",
    title: `${session.name} goes on`,
    body: "It was stopped by mistake. Your calls and results are as they were.",
    url: `/sessions/${session.slug}`,
  });
}

type Note = Omit<Parameters<typeof writeNotifications>[1][number], "userId">;

function tell(tx: Transaction, players: readonly { userId: number }[], note: Note): Promise<void> {
  return writeNotifications(
    tx,
    players.map(({ userId }) => ({ userId, ...note })),
  );
}

function findScored(tx: Transaction, session: SessionRow) {
  return tx
    .select({ userId: scores.userId, wins: scores.wins, losses: scores.losses, netCents: scores.netCents })
    .from(scores)
    .innerJoin(users, eq(users.id, scores.userId))
    .where(and(eq(scores.sessionId, session.id), receivesNotifications));
}

/** Notifies all players of a stopped session of their score. Events that still wait for a result are not in it yet. */
export async function notifyResults(tx: Transaction, session: SessionRow): Promise<void> {
  const isUnresolved = and(eq(events.sessionId, session.id), eq(events.state, "closed"));
  const soFar = (await tx.$count(events, isUnresolved)) > 0 ? " so far" : "";
  const players = await findScored(tx, session);
  await writeNotifications(
    tx,
    players.map(({ userId, wins, losses, netCents }) => ({
      userId,
      kind: "result" as const,
      title: say`${session.name} is over`,
      body:
        wins + losses === 0
          ? `Nothing won and nothing lost${soFar}. Your wagers came back.`
          : `You won ${wins} and lost ${losses}${soFar}: ${formatChange(netCents)}.`,
      url: `/sessions/${session.slug}/history`,
    })),
  );
}
