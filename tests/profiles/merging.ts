import { expect } from "bun:test";
import { compareScores } from "#src/play/leaderboard/repair-scores.ts";
import { Reader } from "#tests/pages/ssr/browser.ts";
import {
  PASSWORD,
  type Person,
  type RequestHandler,
  userIn,
  buildMember,
} from "#tests/people/users/person.ts";
import { listDifferences, readWallet } from "#tests/support/books.ts";
import { buildAdmin, buildCall, buildEvent, buildRunningSession } from "#tests/support/build.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

/** A session with guests and accounts, and what they do until one is a part of another. */
export async function merging(deps: TestDeps, server: RequestHandler) {
  const { db } = deps.pool;
  const session = await buildRunningSession(deps);
  const host = await buildAdmin(deps);
  return {
    session,
    host,
    /** A browser that plays as a guest. */
    comeIn: async (username?: string): Promise<{ person: Reader; id: number }> => {
      const person = new Reader(server);
      await person.get("/api/v1/users/me");
      const body = { user: username === undefined ? {} : { username } };
      return { person, id: (await userIn(await person.send("POST", "/users/guest", { body }))).id };
    },
    buildAccount: () => buildMember(deps),
    /** An event on which one has won $10.00 of the other. */
    playEvent: async (winnerId: number, loserId: number) => {
      const event = await buildEvent(deps, "open", { sessionId: session.id });
      await buildCall(deps, { userId: winnerId, eventId: event.id, side: "true", wagerCents: 1_000 });
      await buildCall(deps, { userId: loserId, eventId: event.id, side: "false", wagerCents: 1_000 });
      await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
      return event;
    },
    correct: (eventId: number, result: "true" | "false") =>
      resolveAndPay(deps, { eventId, actor: host, result, reason: "The other one" }),
    merge: (person: Person, email: string | null) =>
      person.send("POST", "/users/sign_in", {
        body: { user: { email, password: PASSWORD, merge_guest: true } },
      }),
    balanceOf: async (id: number) => (await readWallet(db, id)).postedCents,
    expectRight: async () => {
      expect(await listDifferences(db)).toEqual([]);
      expect(await compareScores(db)).toEqual({ results: 0, scores: 0 });
    },
  };
}
