import { beforeEach, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { audit } from "#db/schema/audit.ts";
import { notifications } from "#db/schema/notifications.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import { pruneTable } from "#jobs/schedule.ts";
import { countWebhooks } from "#src/operate/operations/find-undelivered.ts";
import { deliverWebhook, resendDelivery } from "#src/webhooks/deliver-webhook.ts";
import { changeWebhook, rotateSecret } from "#src/webhooks/manage-webhooks.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { only } from "#tests/support/build.ts";
import { stopClockAt } from "#tests/support/database.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildDelivery, buildWebhook, deliveriesOf, webhookRow } from "./build-webhook.ts";
import { Receiver } from "./receiver.ts";

const { deps, db, build, set } = await testWorld();
const receiver = new Receiver();
afterFile(() => receiver.stop());
const START = new Date("2026-11-21T20:00:00Z");

beforeEach(async () => {
  receiver.received.length = 0;
  await stopClockAt(deps.pool, START);
});

const rowOf = async (id: number) =>
  only(await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)));
const failed = (status = 500) => new Response("out of order", { status });
let now = START;
const pass = async (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
  await stopClockAt(deps.pool, now);
};

test("a message is signed with the time and the body, and has an id and a type", async () => {
  const { id: webhookId, secret } = await buildWebhook(deps, receiver.url);
  const id = await buildDelivery(deps, webhookId);
  receiver.answerNext(new Response("thanks"));
  expect(await deliverWebhook(deps, id)).toBeNull();
  const message = only(receiver.received);
  const t = START.getTime() / 1_000;
  const v1 = createHmac("sha256", secret).update(`${t}.{"hello":"world"}`).digest("hex");
  expect(message).toMatchObject({
    id: String(id),
    type: "Event/resolve",
    signature: `t=${t},v1=${v1}`,
    body: `{"hello":"world"}`,
  });
  expect(await rowOf(id)).toMatchObject({
    attempts: 1,
    status: 200,
    answer: "thanks",
    error: null,
    deliveredAt: START,
  });
});

test("no redirection is followed, and the log says what was answered", async () => {
  const { id: webhookId } = await buildWebhook(deps, receiver.url);
  const id = await buildDelivery(deps, webhookId);
  receiver.answerNext(new Response(null, { status: 302, headers: { location: receiver.url } }));
  await deliverWebhook(deps, id);
  expect(receiver.received).toHaveLength(1);
  expect((await rowOf(id)).error).toBe(
    "It answered 302. Redirections are not followed: enter the final address.",
  );
});

test("a webhook that fails for a day is switched off, its waiting messages are given up, and admins are notified", async () => {
  now = START;
  const admin = await build.admin();
  const player = await build.player();
  const { id: webhookId } = await buildWebhook(deps, receiver.url, "Board");
  const first = await buildDelivery(deps, webhookId);
  receiver.answerNext(failed());
  await deliverWebhook(deps, first);
  expect(await webhookRow(deps, webhookId)).toMatchObject({ failingSince: START, disabledAt: null });
  await pass(24 * 3_600);
  const waiting = await buildDelivery(deps, webhookId);
  receiver.answerNext(failed());
  expect(await deliverWebhook(deps, first)).toBeNull();
  expect(await webhookRow(deps, webhookId)).toMatchObject({ failingSince: START, disabledAt: now });
  for (const id of [first, waiting]) expect(await rowOf(id)).toMatchObject({ failedAt: now });
  const told = await db.select().from(notifications).where(eq(notifications.url, "/admin/webhooks"));
  expect(told.map(({ userId, title }) => [userId, title])).toEqual([
    [admin.id, "The webhook Board was switched off"],
  ]);
  expect(told.some(({ userId }) => userId === player.id)).toBe(false);
  expect(await db.$count(audit, eq(audit.action, "disable_webhook"))).toBe(1);

  const actor = { id: admin.id };
  await changeWebhook(deps, { id: webhookId, actor, now, changes: { enabled: true } });
  expect(await webhookRow(deps, webhookId)).toMatchObject({ failingSince: null, disabledAt: null });
});

test("operators read which webhooks fail and why, until one takes a message", async () => {
  const { id: webhookId } = await buildWebhook(deps, receiver.url);
  receiver.answerNext(failed());
  await deliverWebhook(deps, await buildDelivery(deps, webhookId));
  expect((await webhookRow(deps, webhookId)).failingSince).not.toBeNull();
  const failures = async () => (await countWebhooks(db)).failures?.filter(({ id }) => id === webhookId);
  expect(await failures()).toMatchObject([
    { name: "Scoreboard", waiting: 1, reason: expect.stringContaining("It answered 500") },
  ]);
  await deliverWebhook(deps, await buildDelivery(deps, webhookId));
  expect((await webhookRow(deps, webhookId)).failingSince).toBeNull();
  expect(await failures()).toEqual([]);
});

test("a delivery that was given up is sent again by hand, with the same id and bytes", async () => {
  const { id: webhookId } = await buildWebhook(deps, receiver.url);
  const id = await buildDelivery(deps, webhookId);
  await set(webhookDeliveries, id, { attempts: 6, failedAt: START });
  expect(await resendDelivery(deps, id)).toMatchObject({ id, state: "waiting" });
  expect(await deliverWebhook(deps, id)).toBeNull();
  expect(only(receiver.received)).toMatchObject({ id: String(id), body: `{"hello":"world"}` });
  expect(await rowOf(id)).toMatchObject({ attempts: 7, failedAt: null, deliveredAt: START });
});

test("for a day after a rotation both secrets sign", async () => {
  now = START;
  const { id: webhookId, secret: old } = await buildWebhook(deps, receiver.url);
  const { secret } = await rotateSecret(deps, { id: webhookId, actor: null, now });
  expect(secret).not.toBe(old);
  const signedBy = async () => {
    const at = receiver.received.length;
    await deliverWebhook(deps, await buildDelivery(deps, webhookId));
    const { signature, body } = receiver.received[at] ?? { signature: "", body: "" };
    const [time = "", ...signatures] = signature.split(",");
    return [old, secret].map((key) => {
      const hex = createHmac("sha256", key)
        .update(`${time.slice(2)}.${body}`)
        .digest("hex");
      return signatures.includes(`v1=${hex}`);
    });
  };
  expect(await signedBy()).toEqual([true, true]);
  await pass(24 * 3_600 + 1);
  expect(await signedBy()).toEqual([false, true]);
});

test("deliveries that are over are deleted after two weeks", async () => {
  const { id: webhookId } = await buildWebhook(deps, receiver.url);
  const [over, waiting, fresh] = [
    await buildDelivery(deps, webhookId),
    await buildDelivery(deps, webhookId),
    await buildDelivery(deps, webhookId),
  ];
  await deliverWebhook(deps, over);
  await deliverWebhook(deps, fresh);
  const old = sql`clock_timestamp() - interval '15 days'`;
  for (const id of [over, waiting])
    await db.update(webhookDeliveries).set({ createdAt: old }).where(eq(webhookDeliveries.id, id));
  await pruneTable(deps, webhookDeliveries);
  expect((await deliveriesOf(deps, webhookId)).map(({ id }) => id)).toEqual([waiting, fresh]);
  await db.delete(webhooks).where(eq(webhooks.id, webhookId));
  expect(await deliveriesOf(deps, webhookId)).toEqual([]);
});

test("a webhook is deleted while an attempt is noted, and the attempt ends with it", async () => {
  const { id: webhookId } = await buildWebhook(deps, receiver.url);
  const id = await buildDelivery(deps, webhookId);
  const outcome = await inTransaction(db, async (tx) => {
    // What a deletion takes first.
    await tx.select().from(webhooks).where(eq(webhooks.id, webhookId)).for("update");
    const attempt = deliverWebhook(deps, id);
    await waitFor("the note to wait for the webhook", async () => {
      const rows = await tx.execute(
        sql`SELECT 1 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted`,
      );
      return rows.length > 0;
    });
    await tx.delete(webhooks).where(eq(webhooks.id, webhookId));
    return { attempt };
  });
  expect(await outcome.attempt).toBeNull();
  expect(receiver.received).toHaveLength(1);
  expect(await deliveriesOf(deps, webhookId)).toEqual([]);
});
