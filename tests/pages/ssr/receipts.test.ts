import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { createServer } from "#src/server.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { type Page, readerFor } from "./browser.ts";
import { parsePage, textsOf } from "./parse-page.ts";

const deps = await testDeps();
const server = createServer(deps);
const [player, rival] = [await buildPlayer(deps), await buildPlayer(deps)];
const reader = await readerFor(deps, server, player);
const session = await buildRunningSession(deps, { name: "Derby" });
const slug = session.slug;
const event = await buildEvent(deps, "open", { sessionId: session.id, title: "A goal?", trueLabel: "Goal" });
const callId = await buildCall(deps, { userId: player.id, eventId: event.id, wagerCents: 200 });
await buildCall(deps, { userId: rival.id, eventId: event.id, wagerCents: 100 });
await buildCall(deps, { userId: rival.id, eventId: event.id, side: "false", wagerCents: 100 });
await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });

/** The text of a page, without its tags. */
const wordsOf = ({ html }: Page) =>
  html
    .replaceAll(/<script[\s\S]*?<\/script>|<!-- -->/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

test("without JavaScript a call links to its receipt, which explains the payout and links to the event", async () => {
  const receipt = `/sessions/${slug}/history/${callId}`;
  expect((await reader.open(`/sessions/${slug}/history?show=won`)).html).toContain(
    `href="${receipt}?show=won"`,
  );
  const page = await reader.open(receipt);
  expect(page.status).toBe(200);
  const words = wordsOf(page);
  const formula = ["$4.00 x $2.00 / $3.00", "= $2.66, plus 1 cent by remainder"];
  for (const text of ["Won Resolved", "+$0.67", "Goal, $2.00", "In time by", ...formula]) {
    expect(words).toContain(text);
  }
  expect(page.html).toContain(`href="/sessions/${slug}/events/${event.id}"`);
});

test("a call that is settled is listed as resolved beside its outcome, and one that is not by its state alone", async () => {
  const open = await buildEvent(deps, "open", { sessionId: session.id });
  const placed = await buildCall(deps, { userId: player.id, eventId: open.id });
  const pills = async (path: string) =>
    textsOf(parsePage((await reader.open(path)).html), ".call-end .pill + *");
  expect(await pills(`/sessions/${slug}/history?show=won`)).toEqual(["Resolved"]);
  expect(await pills(`/sessions/${slug}/history?show=open`)).toEqual([]);
  expect(await pills(`/sessions/${slug}/events/${event.id}`)).toEqual(["Resolved"]);
  expect(wordsOf(await reader.open(`/sessions/${slug}/history/${placed}`))).toContain("Placed");
});

test("without JavaScript an event is recomputed by a plain form", async () => {
  const path = `/sessions/${slug}/events/${event.id}`;
  const page = await reader.open(path);
  expect(wordsOf(page)).toContain("payout = $4.00 x wager / $3.00");
  expect(page.html).not.toContain(rival.username);
  expect(page.html).toContain('name="recompute"');
  expect(wordsOf(await reader.open(`${path}?recompute=1`))).toContain("Every payout is as the formula says.");
});

test("an event without a result says so, also when a recomputation is requested", async () => {
  const open = await buildEvent(deps, "open", { sessionId: event.sessionId });
  const page = await reader.open(`/sessions/${slug}/events/${open.id}?recompute=1`);
  expect(page.status).toBe(200);
  expect(wordsOf(page)).toContain("There is no result yet.");
});

test("an event without calls says so instead of showing a formula", async () => {
  const nobodys = await buildEvent(deps, "resolved", { sessionId: event.sessionId });
  const words = wordsOf(await reader.open(`/sessions/${slug}/events/${nobodys.id}?recompute=1`));
  expect(words).toContain("Nobody had called this one, so there was nothing to pay.");
  expect(words).toContain("Every payout is as the formula says.");
  expect(words).not.toContain("payout =");
});

test("another player's receipt is 404", async () => {
  const other = await readerFor(deps, server, rival);
  expect((await other.open(`/sessions/${slug}/history/${callId}`)).status).toBe(404);
  expect((await reader.open(`/sessions/${slug}/history/nothing`)).status).toBe(404);
  expect((await reader.open(`/sessions/${slug}/events/999999999`)).status).toBe(404);
});

test("without JavaScript a broke player tops up from the page, and sees when it is possible again", async () => {
  const broke = await buildPlayer(deps, { balanceCents: 0 });
  const visitor = await readerFor(deps, server, broke);
  const wallet = "/profile/wallet";
  expect((await visitor.open(wallet)).html).toContain("Top up to $10");
  expect((await visitor.open(wallet)).html).toContain('href="/api/v1/transactions.csv"');

  const response = await visitor.sendForm("/profile/wallet/top_up", { return_to: wallet }, { from: wallet });
  expect([response.status, response.location]).toEqual([303, `${wallet}?top_up=done`]);
  expect(wordsOf(await visitor.open(response.location ?? ""))).toContain("Topped up: $10.00 to play with.");

  const again = await visitor.sendForm(
    "/profile/wallet/top_up",
    { return_to: "https://elsewhere.test/" },
    { from: wallet },
  );
  expect(again.location).toBe("/sessions?top_up=not_broke");
  expect((await findWalletView(deps.pool.db, broke.id)).balanceCents).toBe(1_000);
});

test("a guest tops up from the action screen", async () => {
  const guest = await buildPlayer(deps, { balanceCents: 50 });
  await deps.pool.db.update(users).set({ guest: true, email: null }).where(eq(users.id, guest.id));
  const { cookie = "", "x-csrf-token": token = "" } = await signInDirectly(deps, guest);
  const origin = "http://localhost:3000";
  const sent = await server.handle(
    new Request(`${origin}/profile/wallet/top_up`, {
      method: "POST",
      headers: { accept: "text/html", origin, cookie },
      body: new URLSearchParams({ authenticity_token: token, return_to: `/sessions/${slug}` }),
    }),
  );
  expect([sent.status, sent.headers.get("location")]).toEqual([303, `/sessions/${slug}?top_up=done`]);
  expect((await findWalletView(deps.pool.db, guest.id)).balanceCents).toBe(1_000);
});
