import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import { errorBody } from "#src/http/schemas.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";

const { db, timer, build, read, unchanged, signedIn, set } = await testWorld();
const [admin, adminBrowser] = await signedIn.admin();

let player: BuiltUser;
let session: SessionRow;
let event: EventRow;
let callId: number;

beforeEach(async () => {
  player = await build.player();
  session = await build.runningSession();
  event = await build.event("open", { sessionId: session.id, title: "Will it rain?" });
  callId = await build.call({ userId: player.id, eventId: event.id, wagerCents: 700 });
});

const close = () => timer.close(event.id);
const destroy = (reason?: string, browser: TestClient = adminBrowser) =>
  browser.send(
    "DELETE",
    `/api/v1/calls/${callId}${reason === undefined ? "" : `?reason=${encodeURIComponent(reason)}`}`,
  );
const readCall = () => read.row(calls, callId);
const auditLines = () => read.audit({ action: "destroy_call", subjectId: event.id });
const told = () => read.told(player.id);

/** Sends a request that must be refused, and checks that no table has changed. */
async function refusalOf(request: () => Promise<{ status: number; body: unknown }>) {
  const { status, body } = await unchanged(() => request());
  return { status, ...v.parse(errorBody, body) };
}

test.each(["placed", "closed"] as const)(
  "an admin takes back a player's %s call: the wager is free again, and the call leaves the pool",
  async (state) => {
    if (state === "closed") await close();
    expect(await read.wallet(player.id)).toMatchObject({ availableCents: 9_300, heldCents: 700 });

    expect(await destroy("Placed by mistake")).toMatchObject({ status: 204, body: null });

    expect(await readCall()).toMatchObject({ state: "soft_destroyed", refundedBy: "admin" });
    expect(await read.wallet(player.id)).toMatchObject({ availableCents: 10_000, heldCents: 0 });
    expect((await read.spots(event.id)).true).toMatchObject({ callsCount: 0, poolCents: 0 });
    expect(await read.differences()).toEqual([]);
    expect(await auditLines()).toMatchObject([
      {
        actorId: admin.id,
        subjectType: "event",
        sessionId: session.id,
        before: { callId, userId: player.id, wagerCents: 700, state },
        after: { callId, state: "soft_destroyed" },
        reason: "Placed by mistake",
      },
    ]);
    expect(await told()).toMatchObject([
      {
        kind: "refund",
        title: "$7.00 back: the host took your call back",
        body: "Will it rain? Placed by mistake",
        url: `/sessions/${session.slug}/history/${callId}`,
      },
    ]);
    const facts = await db.select().from(outbox).where(eq(outbox.kind, "call_cancelled"));
    expect(facts.map(({ payload }) => payload)).toContainEqual({ callId });
  },
);

test("taking a call back again changes nothing and answers the same", async () => {
  await destroy();
  expect(await unchanged(() => destroy())).toMatchObject({ status: 204 });
  expect(await told()).toMatchObject([
    { title: "$7.00 back: the host took your call back", body: "Will it rain?" },
  ]);
});

test("a resolved call stays as it is, also for an admin", async () => {
  await timer.settle(event.id);
  const refusal = await refusalOf(() => destroy());
  expect(refusal).toMatchObject({ status: 422, errors: { state: ['cannot transition via "Destroy"'] } });
  // While the result is being paid, the call itself is still closed.
  expect(refusal.detail).toMatch(
    /^(This call is resolved: its result is paid|The result of this call is being paid)\.$/,
  );
});

test("an admin with a call on the same event is refused with the reason, unless the room is small", async () => {
  await build.call({ userId: admin.id, eventId: event.id, side: "false" });
  expect(await refusalOf(() => destroy())).toMatchObject({
    status: 403,
    code: "forbidden",
    detail: "You have a call on this event. Somebody else must take this call back.",
  });
  await set(sessions, session.id, { settings: { smallRoom: true } });
  expect(await destroy()).toMatchObject({ status: 204 });
});

test("an admin's own call follows the rules for players, and nobody is notified", async () => {
  callId = await build.call({ userId: admin.id, eventId: event.id });
  expect(await destroy()).toMatchObject({ status: 204 });
  expect(await readCall()).toMatchObject({ state: "soft_destroyed", refundedBy: null });
  expect(await auditLines()).toEqual([]);

  callId = await build.call({ userId: admin.id, eventId: event.id });
  await close();
  expect(await refusalOf(() => destroy())).toMatchObject({
    status: 422,
    detail: "Its event has closed, so the call stands.",
  });
});
