import { beforeEach, expect, test } from "bun:test";
import { and, eq, like } from "drizzle-orm";
import * as v from "valibot";
import { journal } from "#db/schema/ledger.ts";
import { users } from "#db/schema/users.ts";
import { adjustWallet } from "#src/money/wallet/adjust-wallet.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { receiptAnswer } from "#src/play/calls/schemas.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { all, oneOf, parsePage } from "#tests/pages/ssr/parse-page.ts";
import { type BuiltUser } from "#tests/support/build.ts";
import { type TestClient } from "#tests/support/client.ts";
import { untilFree } from "#tests/support/until-free.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, timer, build, read, server, client, unchanged } = await testWorld();
const session = await build.runningSession();
let player: BuiltUser;
let phone: TestClient;

beforeEach(async () => {
  player = await build.player({ balanceCents: 30 });
  phone = await client(player);
});

const walletOf = () => findWalletView(db, player.id);

/** An open event of the session, and how the player calls its True side. */
async function ask(title = "Will it rain?") {
  const event = await build.event("open", { title, sessionId: session.id });
  const spotId = (await read.spots(event.id)).true.id;
  const call = (browser = phone) =>
    browser.send("POST", "/api/v1/calls", { call: { spot_id: spotId, on_the_house: true } });
  return { event, spotId, call };
}

const grantsOf = () =>
  db
    .select({ key: journal.idempotencyKey, reason: journal.reason })
    .from(journal)
    .where(and(eq(journal.kind, "grant"), like(journal.idempotencyKey, `grant-house-${player.id}-%`)));

test("a player who is broke calls each question on the house, and the wallet and the receipt say so", async () => {
  const { event, call } = await ask();
  const { status, body } = await call();
  expect(status).toBe(201);
  expect(body).toMatchObject({ wallet: { balanceCents: 100, heldCents: 100, availableBalanceCents: 0 } });
  expect(await grantsOf()).toEqual([{ key: `grant-house-${player.id}-${event.id}`, reason: "On the house" }]);
  expect((await phone.get("/api/v1/transactions?per_page=2")).body).toMatchObject({
    transactions: [
      { kind: "hold", amountCents: -100, memo: "Call placed: Will it rain?", availableAfterCents: 0 },
      { kind: "grant", amountCents: 70, memo: "On the house: Will it rain?", availableAfterCents: 100 },
    ],
  });
  const { call: placed } = v.parse(v.object({ call: v.object({ id: v.number() }) }), body);
  const { receipt } = await phone.read(`/api/v1/calls/${placed.id}`, receiptAnswer);
  expect(receipt.transactions).toMatchObject([
    { kind: "grant", amountCents: 70 },
    { kind: "hold", amountCents: -100 },
  ]);
  await timer.settle(event.id, "void");
  await adjustWallet(deps, {
    userId: player.id,
    actor: await build.admin(),
    amountCents: -100,
    reason: "Spent",
    idempotencyKey: crypto.randomUUID(),
  });
  expect((await (await ask("And tomorrow?")).call()).status).toBe(201);
  expect(await grantsOf()).toHaveLength(2);
});

test.each([
  ["without a wager", {}],
  ["with a wager of a dollar", { wager: 1 }],
  ["with a wager of a cent more than is there", { wager: 0.31 }],
  ["that says so", { on_the_house: false }],
])("a call that does not ask the house is refused for want of money: %s", async (_, terms) => {
  const { spotId } = await ask();
  const answer = await unchanged(() =>
    phone.send("POST", "/api/v1/calls", { call: { spot_id: spotId, ...terms } }),
  );
  expect(answer).toMatchObject({
    status: 422,
    body: {
      code: "insufficient_balance",
      error: "Validation failed: Wallet has insufficient balance to cover",
      errors: { wallet: ["has insufficient balance to cover"] },
    },
  });
});

test("the page without JavaScript asks the house where it says so, and nowhere else", async () => {
  const { event, spotId } = await ask();
  const path = `/sessions/${session.slug}`;
  const rich = await readerFor(deps, server, await build.player());
  expect((await rich.open(path)).html).not.toMatch(/on_the_house|on the house/);
  const reader = await readerFor(deps, server, player);
  const page = parsePage((await reader.open(path)).html);
  expect(oneOf(page, ".card .mine").textContent).toContain("It's on the house.");
  const sent = Object.fromEntries(
    all(page, "#place-call input[name]").map((input) => [
      input.getAttribute("name") ?? "",
      input.getAttribute("value") ?? "",
    ]),
  );
  const { status } = await reader.sendForm(path, { ...sent, spot_id: String(spotId), wager: "1" });
  expect(status).toBe(303);
  expect(await grantsOf()).toMatchObject([{ key: `grant-house-${player.id}-${event.id}` }]);
});

test("a session without it refuses as before, and offers it again once the host switches it on", async () => {
  const host = await client(await build.admin());
  const { call } = await ask();
  const set = (houseDollar: boolean) =>
    untilFree(() =>
      host.send("PATCH", `/api/v1/sessions/${session.slug}`, { session: { settings: { houseDollar } } }),
    );
  expect((await set(false)).body).toMatchObject({ session: { settings: { houseDollar: false } } });
  expect(await call()).toMatchObject({ status: 422, body: { code: "insufficient_balance" } });
  expect([await grantsOf(), (await walletOf()).balanceCents]).toEqual([[], 30]);
  expect((await set(true)).body).toMatchObject({ session: { settings: { houseDollar: true } } });
  expect((await call()).status).toBe(201);
});

test("a guest plays on the house too, and nobody without a sign-in does", async () => {
  await db.update(users).set({ guest: true, email: null }).where(eq(users.id, player.id));
  const { call } = await ask();
  expect((await call()).status).toBe(201);
  expect((await call(await client())).status).toBe(401);
  expect(await grantsOf()).toHaveLength(1);
});
