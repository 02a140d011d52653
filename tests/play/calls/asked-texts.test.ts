import { beforeAll, describe, expect, test } from "bun:test";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { createServer } from "#src/server.ts";
import { createShare } from "#src/shares/create-share.ts";
import { openEvent } from "#src/show/events/open-event.ts";
import { publishEvent } from "#src/show/events/publish-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { readShares } from "#tests/shares/shows.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readEvent,
  readSpots,
} from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

// A call keeps the question and the labels that it was placed on. After a reset the event is a draft: nobody but its hosts may read
// its new texts, not even those who have called on it before.

const deps = await testDeps();
const server = createServer(deps);
const admin = await buildAdmin(deps);

const asked = { title: "Will it rain?", trueLabel: "Umbrella", falseLabel: "Sunglasses" };
const secret = { title: "Zebra question", trueLabel: "Zebra yes", falseLabel: "Zebra no" };
const SECRET = /zebra/i;
const KEY = "placed-before";

/** A player with a call on an event, and another one on the other side. */
async function buildAsked() {
  const session = await buildRunningSession(deps, { name: "Weather" });
  const [player, rival] = [await buildPlayer(deps), await buildPlayer(deps)];
  const event = await buildEvent(deps, "open", { ...asked, sessionId: session.id, durationSeconds: 600 });
  const spotId = (await readSpots(deps, event.id)).true.id;
  const call = { viewer: player, spotId, wagerCents: 100, idempotencyKey: KEY };
  const { callId } = await placeCall(deps, call);
  await buildCall(deps, { userId: rival.id, eventId: event.id, side: "false", wagerCents: 250 });
  return { session, player, event, call, callId, order: { eventId: event.id, actor: admin } };
}

async function renameTo(eventId: number, texts: typeof asked): Promise<void> {
  const { version } = await readEvent(deps, eventId);
  await updateEvent(deps, { eventId, actor: admin, changes: { ...texts, version } });
}

/** Whatever a player reads of a call, and what strangers read by the player's links, by path. */
async function readAll({ session, player, callId }: Awaited<ReturnType<typeof buildAsked>>) {
  const own = await signedInClient(deps, server, player);
  const stranger = await signedOutClient(server);
  const links = await readShares(deps, player.id);
  const texts = new Map<string, string>();
  const ask = async (client: typeof own, path: string) => {
    const { status, body } = await client.get(path);
    expect([path, status]).toEqual([path, 200]);
    texts.set(path, typeof body === "string" ? body : JSON.stringify(body));
  };
  for (const path of [
    "/api/v1/calls",
    `/api/v1/calls?session_id=${session.id}`,
    `/api/v1/calls/${callId}`,
    "/api/v1/transactions",
    "/api/v1/transactions.csv",
    "/api/v1/users/me/export.json",
    "/api/v1/shares",
  ])
    await ask(own, path);
  for (const { token } of links) await ask(stranger, `/api/v1/shared/${token}`);

  const reader = await readerFor(deps, server, player);
  const history = `/sessions/${session.slug}/history`;
  for (const path of [history, `${history}/${callId}`, "/profile/wallet", "/shares"])
    texts.set(path, (await reader.open(path)).html);
  for (const { token } of links) {
    const page = await server.handle(
      new Request(`http://localhost:3000/shared/${token}`, { headers: { accept: "text/html" } }),
    );
    texts.set(`/shared/${token}`, await page.text());
  }
  return texts;
}

async function expectAsked(built: Awaited<ReturnType<typeof buildAsked>>): Promise<void> {
  for (const [path, text] of await readAll(built)) {
    expect([path, SECRET.exec(text)?.[0] ?? null]).toEqual([path, null]);
    expect([path, text.includes(asked.title)]).toEqual([path, true]);
  }
}

describe.each<["resolved" | "open"]>([["resolved"], ["open"]])(
  "an event that was reset while %s",
  (state) => {
    let built: Awaited<ReturnType<typeof buildAsked>>;

    beforeAll(async () => {
      built = await buildAsked();
      const { player, callId, order } = built;
      if (state === "resolved") await resolveAndPay(deps, { ...order, result: "true" });
      for (const kind of state === "resolved" ? (["call", "result"] as const) : (["call"] as const))
        await createShare(deps.pool.db, { viewer: player, kind, targetId: callId }, new Date());
      await resetEvent(deps, { ...order, reason: "Asked wrongly" });
      await renameTo(order.eventId, secret);
    });

    test("shows callers and strangers the question that was called on, and never the draft", async () => {
      await expectAsked(built);
      const { call, label } = { call: built.call, label: asked.trueLabel };
      const { replayed, answer } = await placeCall(deps, call);
      expect([replayed, answer.call]).toMatchObject([true, { eventTitle: asked.title, label }]);
      const own = await signedInClient(deps, server, built.player);
      expect((await own.get(`/api/v1/calls/${built.callId}`)).body).toMatchObject({
        call: { eventTitle: asked.title, label },
        receipt: { labels: { true: asked.trueLabel, false: asked.falseLabel } },
      });
    });

    test("is asked again with another question, and each call keeps its own", async () => {
      const snow = { title: "Will it snow?", trueLabel: "Sledge", falseLabel: "Boots" };
      const { order, player } = built;
      await renameTo(order.eventId, snow);
      await publishEvent(deps, order);
      await openEvent(deps, order);
      const newCallId = await buildCall(deps, { userId: player.id, eventId: order.eventId });
      await expectAsked(built);
      const own = await signedInClient(deps, server, player);
      const { body } = await own.get(`/api/v1/calls/${newCallId}`);
      expect(body).toMatchObject({ call: { eventTitle: snow.title, label: snow.trueLabel } });
      // A third round keeps both.
      await resetEvent(deps, { ...order, reason: "Asked wrongly again" });
      await renameTo(order.eventId, secret);
      await expectAsked(built);
      expect((await own.get(`/api/v1/calls/${newCallId}`)).body).toMatchObject({
        call: { eventTitle: snow.title, label: snow.trueLabel },
      });
    });
  },
);

test("a player's results keep their question after a reset and a void", async () => {
  const built = await buildAsked();
  const { order, player } = built;
  await resolveAndPay(deps, { ...order, result: "void", reason: "Nobody saw it" });
  await resetEvent(deps, { ...order, reason: "Asked wrongly" });
  await renameTo(order.eventId, secret);
  const own = await signedInClient(deps, server, player);
  const { body } = await own.get(`/api/v1/users/${player.id}/results`);
  expect(body).toMatchObject({ results: [{ eventTitle: asked.title }] });
});

test("who has called on a skipped event reads no later text of it", async () => {
  const built = await buildAsked();
  const { order, player, callId } = built;
  await createShare(deps.pool.db, { viewer: player, kind: "call", targetId: callId }, new Date());
  await skipEvent(deps, { ...order, reason: "No time" });
  await renameTo(order.eventId, secret);
  expect(await readEvent(deps, order.eventId)).toMatchObject({ state: "hidden", title: secret.title });
  await expectAsked(built);
});

test("calls that were taken back keep their texts, and those after a change have the new ones", async () => {
  const session = await buildRunningSession(deps, { name: "Weather" });
  const player = await buildPlayer(deps);
  const event = await buildEvent(deps, "open", { ...asked, sessionId: session.id, durationSeconds: 600 });
  const placed = [];
  for (const texts of [secret, { ...secret, title: "Third" }, { ...secret, trueLabel: "Fourth" }]) {
    const callId = await buildCall(deps, { userId: player.id, eventId: event.id });
    placed.push(callId);
    await cancelCall(deps, { viewer: player, callId });
    await renameTo(event.id, texts);
  }
  placed.push(await buildCall(deps, { userId: player.id, eventId: event.id }));
  const views = await findCallViews(deps.pool.db, { callIds: placed }, new Date());
  expect(views.map(({ eventTitle, label }) => [eventTitle, label])).toEqual([
    [asked.title, asked.trueLabel],
    [secret.title, secret.trueLabel],
    ["Third", secret.trueLabel],
    [secret.title, "Fourth"],
  ]);
});

test("nobody can change what calls were placed on", async () => {
  const { order, callId } = await buildAsked();
  await resetEvent(deps, { ...order, reason: "Asked wrongly" });
  await renameTo(order.eventId, secret);
  for (const change of ["UPDATE earlier_texts SET title = 'Another'", "TRUNCATE earlier_texts"]) {
    const changing = deps.pool.sql.unsafe(change);
    expect(await changing.catch((error: unknown) => error)).toMatchObject({ errno: "23514" });
  }
  const rows = await deps.pool.sql`SELECT title FROM earlier_texts WHERE event_id = ${order.eventId}`;
  expect([...rows]).toEqual([{ title: asked.title }]);
  const [view] = await findCallViews(deps.pool.db, { callIds: [callId] }, new Date());
  expect(view).toMatchObject({ eventTitle: asked.title });
});
