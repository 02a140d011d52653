import { expect } from "bun:test";
import { and, eq } from "drizzle-orm";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { teamsAnswer } from "#src/play/teams/schemas.ts";
import { createServer } from "#src/server.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { buildAdmin, buildCall, buildEvent, buildRunningSession } from "#tests/support/build.ts";
import { signedInClient, type TestClient } from "#tests/support/client.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

export const names = ["Foxes", "Owls", "Bears"];

/** A call of a player on an event. */
type PlacedCall = readonly [userId: number, cents: number, side: "true" | "false"];

/** A running session with three teams, its host, and what players and hosts do with teams. */
export async function inTeams(deps: TestDeps) {
  const { db } = deps.pool;
  const server = createServer(deps);
  const admin = await buildAdmin(deps);
  const host = await signedInClient(deps, server, admin);
  return {
    server,
    admin,
    host,
    open: async (settings: Partial<{ private: boolean }> = {}): Promise<SessionRow> => {
      await db.update(sessions).set({ active: false });
      return buildRunningSession(deps, { settings: { teams: names, ...settings } });
    },
    clientOf: (user: { id: number }) => signedInClient(deps, server, user),
    teamsOf: (who: TestClient, { slug }: Pick<SessionRow, "slug">) =>
      who.read(`/api/v1/scores/teams?session_id=${slug}`, teamsAnswer),
    choose: (who: TestClient, { slug }: Pick<SessionRow, "slug">, number: number) =>
      who.send("PUT", `/api/v1/sessions/${slug}/team`, { team: { number } }),
    /** The number of a player's team as it is stored; undefined for who has not joined. */
    teamOf: async (userId: number, { id }: Pick<SessionRow, "id">) => {
      const own = and(eq(registrations.sessionId, id), eq(registrations.userId, userId));
      return (await db.select({ team: registrations.team }).from(registrations).where(own))[0]?.team;
    },
    /** The request is refused with this status and errors, and nothing has changed. */
    expectRefused: async (send: () => ReturnType<TestClient["send"]>, status: number, body: object) => {
      const before = await digestTables(db);
      const answer = await send();
      expect([answer.status, answer.body]).toMatchObject([status, body]);
      expect(await digestTables(db)).toBe(before);
    },
    /** An event of the session that is called so, and resolved as true. */
    playEvent: async ({ id: sessionId }: Pick<SessionRow, "id">, placed: readonly PlacedCall[]) => {
      const event = await buildEvent(deps, "open", { sessionId, durationSeconds: 600 });
      for (const [userId, wagerCents, side] of placed)
        await buildCall(deps, { userId, eventId: event.id, side, wagerCents });
      await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
    },
  };
}
