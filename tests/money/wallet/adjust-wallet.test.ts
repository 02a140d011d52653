import { expect, test } from "bun:test";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { testWorld } from "#tests/support/world.ts";

const { db, build, client, unchanged, read } = await testWorld();
const host = await build.admin();
const adminId = host.id;
const admin = await client(host);
const player = await build.player();
const path = `/api/v1/users/${player.id}/wallet/adjustments`;

const linesOf = (userId: number) => read.audit({ subjectType: "user", subjectId: userId });

test("an admin adds to or takes from a wallet; history and audit have the reason", async () => {
  const before = await findWalletView(db, player.id);
  const given = await admin.send("POST", path, {
    adjustment: { amount: 12.5, reason: "Lost in the outage" },
  });
  expect(given.status).toBe(201);
  expect(given.body).toMatchObject({ wallet: { balanceCents: before.balanceCents + 1_250 } });
  const taken = await admin.send("POST", path, { adjustment: { amount: -2.5, reason: "Given twice" } });
  expect(taken.body).toMatchObject({ wallet: { balanceCents: before.balanceCents + 1_000 } });

  const { body } = await admin.get(`/api/v1/transactions?user_id=${player.id}&per_page=2`);
  expect(body).toMatchObject({
    transactions: [
      { kind: "adjustment", amountCents: -250, memo: "Adjustment: Given twice" },
      { kind: "adjustment", amountCents: 1_250, memo: "Adjustment: Lost in the outage" },
    ],
  });
  expect(await linesOf(player.id)).toMatchObject([
    {
      actorId: adminId,
      action: "adjust_wallet",
      after: { amountCents: 1_250 },
      reason: "Lost in the outage",
    },
    { actorId: adminId, action: "adjust_wallet", after: { amountCents: -250 }, reason: "Given twice" },
  ]);
  expect(await read.told(player.id)).toMatchObject([
    { kind: "correction", title: "Your wallet was corrected: +$12.50", body: "Lost in the outage" },
    { kind: "correction", title: "Your wallet was corrected: -$2.50", body: "Given twice" },
  ]);
});

test("an amount that a wallet cannot cover becomes debt", async () => {
  const other = await build.player();
  const to = `/api/v1/users/${other.id}/wallet/adjustments`;
  const { body } = await admin.send("POST", to, { adjustment: { amount: -130, reason: "Charged back" } });
  expect(body).toMatchObject({ wallet: { balanceCents: 0, owedCents: 3_000 } });
});

const refusals: [string, unknown, Record<string, string[]>][] = [
  ["nothing to move", { amount: 0, reason: "Why" }, { amount: ["is invalid"] }],
  ["half a cent", { amount: 0.005, reason: "Why" }, { amount: ["is invalid"] }],
  ["no reason", { amount: 5, reason: " " }, { reason: ["can't be blank"] }],
];
for (const [what, adjustment, errors] of refusals) {
  test(`${what} is refused and moves nothing`, async () => {
    const before = await findWalletView(db, player.id);
    expect(await admin.send("POST", path, { adjustment })).toMatchObject({ status: 422, body: { errors } });
    expect(await findWalletView(db, player.id)).toEqual(before);
  });
}

test("an admin cannot adjust their own wallet, and nothing changes; another admin can", async () => {
  const own = `/api/v1/users/${host.id}/wallet/adjustments`;
  const adjustment = { amount: 500, reason: "Because" };
  expect(await unchanged(() => admin.send("POST", own, { adjustment }))).toMatchObject({
    status: 403,
    body: { code: "forbidden", detail: "This wallet is yours. Another admin must adjust it." },
  });
  const another = await client(await build.admin());
  expect((await another.send("POST", own, { adjustment })).status).toBe(201);
});
