import { beforeEach, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import { mails } from "#db/schema/mails.ts";
import { pushMessages } from "#db/schema/push-subscriptions.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import {
  type DueRows,
  enqueueDue,
  findUnsent,
  type Outcome,
  sendDue,
  sendOverdue,
} from "#src/base/due-rows.ts";
import { createQueues } from "#src/base/queues.ts";
import { connectRedis } from "#src/base/redis.ts";
import { mailRows, writeMail } from "#src/mail/write-mail.ts";
import { sendWaiting } from "#src/operate/operations/manage-queues.ts";
import { RESULT_FOR_S, pushRows } from "#src/people/push/deliver-push.ts";
import { RETRY_AFTER_SECONDS, RETRY_SECONDS } from "#src/webhooks/contract.ts";
import { deliveryRows } from "#src/webhooks/deliver-webhook.ts";
import { buildSubscriber } from "#tests/people/push/build-subscriber.ts";
import { PushService } from "#tests/people/push/push-service.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { only } from "#tests/support/build.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildDelivery, buildWebhook } from "#tests/webhooks/build-webhook.ts";

const { deps, db } = await testWorld();
const { id: webhookId } = await buildWebhook(deps, "http://127.0.0.1:1/");
const { id: otherWebhookId } = await buildWebhook(deps, "http://127.0.0.1:1/", "Other");

const service = new PushService();
afterFile(() => service.stop());
const subscriber = await buildSubscriber(deps, service);
const push = { subscriptionId: subscriber.id, about: "event" as const, aboutId: 0, service: service.origin };

/** What is written, by the table that it is a row of. */
const kinds = [
  {
    rows: mailRows,
    write: () => writeMail(db, { kind: "reset_password", recipient: "ana@example.test" }),
    waits: [5, 30, 120, 600, 1_800, 3_600, 3_600],
    triedForSeconds: 86_400,
  },
  {
    rows: pushRows,
    write: async () =>
      only(
        await db
          .insert(pushMessages)
          .values({ ...push, aboutId: (push.aboutId += 1) })
          .returning(),
      ).id,
    waits: [5, 15, 30, 60, 120, 120],
    triedForSeconds: RESULT_FOR_S,
  },
  {
    rows: deliveryRows,
    write: () => buildDelivery(deps, webhookId),
    waits: [...RETRY_AFTER_SECONDS, null],
    triedForSeconds: RETRY_SECONDS,
  },
];

beforeEach(async () => {
  for (const { rows } of kinds) await db.delete(rows.table);
  await db.update(webhooks).set({ failingSince: null });
});

const moment = v.pipe(
  v.union([v.string(), v.date()]),
  v.transform((at) => new Date(at).getTime()),
);
const row = v.object({
  attempts: v.number(),
  error: v.nullable(v.string()),
  dueMs: moment,
  sentMs: v.nullable(moment),
  failedMs: v.nullable(moment),
});
async function rowOf({ table, sentAt }: DueRows, id: number) {
  const [found] = await db.execute(sql`
    SELECT attempts, error, due_at AS "dueMs", ${sql.identifier(sentAt)} AS "sentMs", failed_at AS "failedMs"
    FROM ${table} WHERE id = ${id}`);
  return v.parse(row, found);
}
const change = ({ table }: DueRows, id: number, changes: SQL) =>
  db.execute(sql`UPDATE ${table} SET ${changes} WHERE id = ${id}`);
const seconds = (count: number) => sql`make_interval(secs => ${count})`;
const makeDue = (rows: DueRows, id: number) => change(rows, id, sql`due_at = clock_timestamp()`);
const put = (rows: DueRows, id: number, outcome: Outcome, by = deps) =>
  sendDue(by, rows, id, () => Promise.resolve(outcome));
const take = (rows: DueRows, id: number) => put(rows, id, { failure: null });
const refuse = (rows: DueRows, id: number) =>
  put(rows, id, { failure: { error: "not today", retry: "as planned" } });
/** Its next attempt is hours ahead. */
const fail = async (rows: DueRows, id: number) => {
  await makeDue(rows, id);
  expect(await refuse(rows, id)).toBeGreaterThan(0);
  await change(rows, id, sql`due_at = clock_timestamp() + interval '6 hours'`);
};
const isDue = async (rows: DueRows, id: number) => (await rowOf(rows, id)).dueMs <= Date.now() + 1_000;

test("of several processes that send a row at the same moment one sends it, and what was sent is not sent again", async () => {
  const id = await buildDelivery(deps, webhookId);
  let attempts = 0;
  const send = () =>
    sendDue(deps, deliveryRows, id, async () => {
      attempts += 1;
      await Bun.sleep(20);
      return { failure: null };
    });
  await Promise.all(Array.from({ length: 12 }, send));
  expect(attempts).toBe(1);
  await makeDue(deliveryRows, id);
  expect(await send()).toBeNull();
  expect(attempts).toBe(1);
});

for (const { rows, write, waits, triedForSeconds } of kinds) {
  test(`${rows.queue} that are not taken wait by their plan, each time as one attempt more`, async () => {
    // Another one is the first in line.
    await write();
    const id = await write();
    for (const [index, wait] of waits.entries()) {
      await makeDue(rows, id);
      const waitMs = await refuse(rows, id);
      expect([index, waitMs]).toEqual([index, wait === null ? null : wait * 1_000]);
      const { attempts, error, failedMs } = await rowOf(rows, id);
      expect([attempts, error, failedMs !== null]).toEqual([index + 1, "not today", wait === null]);
      if (waitMs === null) continue;
      // It is not due yet.
      expect(await refuse(rows, id)).toBeGreaterThan(waitMs - 4_000);
      expect((await rowOf(rows, id)).attempts).toBe(index + 1);
    }
  });

  test(`the first of ${rows.queue} in line asks after a twentieth of the outage, which is no attempt, and is given up as late as others`, async () => {
    const id = await write();
    /** As if it had been written, and its receiver had failed, for so long. */
    const failsAfter = async (count: number) => {
      const since = sql`clock_timestamp() - ${seconds(count)}`;
      await change(rows, id, sql`created_at = ${since}, due_at = ${since}`);
      await db.update(webhooks).set({ failingSince: since });
      return refuse(rows, id);
    };
    expect(await failsAfter(1)).toBe(4_000);
    expect(await failsAfter(300)).toBe(15_000);
    expect(await failsAfter(3_600)).toBe(60_000);
    expect(await rowOf(rows, id)).toMatchObject({ attempts: 1, failedMs: null });
    expect(await failsAfter(triedForSeconds + 1)).toBeNull();
    expect((await rowOf(rows, id)).failedMs).not.toBeNull();
  });

  test(`the first of ${rows.queue} that is taken after an outage makes the others due, in their order and not all at once`, async () => {
    const waiting = [await write(), await write(), await write()];
    for (const id of waiting) await fail(rows, id);
    await take(rows, await write());
    const [first, second, third] = await Promise.all(
      waiting.map(async (id) => (await rowOf(rows, id)).dueMs),
    );
    expect(first).toBeLessThanOrEqual(Date.now());
    expect([Number(second) - Number(first), Number(third) - Number(first)]).toEqual([
      rows.eachAfterMs,
      2 * rows.eachAfterMs,
    ]);
    const jobs = await deps.queues.byName[rows.queue].getWaiting();
    const ids = jobs.map(({ data }) =>
      Number(Object.values(v.parse(v.record(v.string(), v.number()), data))[0]),
    );
    expect(ids.toSorted((one, other) => one - other).slice(-3)).toEqual(waiting);
    // They have failed again, and are asked for by an admin, who asks often: that is no attempt more.
    for (let times = 0; times < 5; times += 1) {
      for (const id of waiting) await fail(rows, id);
      await sendWaiting(deps);
      expect(await isDue(rows, waiting[2] ?? 0)).toBe(true);
    }
    expect((await rowOf(rows, waiting[2] ?? 0)).attempts).toBeLessThan(2);
  });

  test(`one of ${rows.queue} that is refused while others are taken keeps its own times`, async () => {
    const refused = await write();
    const taken = await write();
    await take(rows, taken);
    await change(rows, refused, sql`created_at = clock_timestamp() - interval '10 seconds'`);
    await change(rows, taken, sql`${sql.identifier(rows.sentAt)} = clock_timestamp() - interval '5 seconds'`);
    await fail(rows, refused);
    const before = await rowOf(rows, refused);
    for (let count = 0; count < 3; count += 1) await take(rows, await write());
    expect(await rowOf(rows, refused)).toEqual(before);
  });
}

test("a receiver that is back is sent its own rows, and no other's", async () => {
  const [own, other] = [await buildDelivery(deps, webhookId), await buildDelivery(deps, otherWebhookId)];
  for (const id of [own, other]) await fail(deliveryRows, id);
  await take(deliveryRows, await buildDelivery(deps, webhookId));
  expect([await isDue(deliveryRows, own), await isDue(deliveryRows, other)]).toEqual([true, false]);
});

test("a row that is being sent is not sent a second time because another one is taken, somebody asks for it, or a sweep looks", async () => {
  const slow = await buildDelivery(deps, webhookId);
  await fail(deliveryRows, slow);
  await makeDue(deliveryRows, slow);
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<Outcome>()];
  let attempts = 0;
  const attempt = () => {
    attempts += 1;
    begun.resolve();
    return held.promise;
  };
  const sent = sendDue(deps, deliveryRows, slow, attempt);
  await begun.promise;
  await take(deliveryRows, await buildDelivery(deps, webhookId));
  await sendWaiting(deps);
  await sendOverdue(deps, deliveryRows, (id) => sendDue(deps, deliveryRows, id, attempt));
  expect(await isDue(deliveryRows, slow)).toBe(false);
  held.resolve({ failure: null });
  expect([await sent, attempts]).toEqual([null, 1]);
});

test("what was not sent is no attempt: it waits for as long as it has to, or is given up", async () => {
  const id = await buildDelivery(deps, webhookId);
  expect(await put(deliveryRows, id, { postponedMs: 500 })).toBe(500);
  expect(await rowOf(deliveryRows, id)).toMatchObject({ attempts: 0, error: null, failedMs: null });
  await makeDue(deliveryRows, id);
  expect(await put(deliveryRows, id, { dropped: "of no use" })).toBeNull();
  const { attempts, error, failedMs } = await rowOf(deliveryRows, id);
  expect([attempts, error, failedMs === null]).toEqual([0, "of no use", false]);
});

test("a row that Redis did not accept a job for is sent by the sweep, but not while its queue is paused", async () => {
  const away = connectRedis("redis://127.0.0.1:1/0", "commands");
  const id = await buildDelivery(deps, webhookId);
  await enqueueDue({ ...deps, queues: createQueues(away) }, deliveryRows, [{ id }]);
  away.disconnect();
  const sweep = () => sendOverdue(deps, deliveryRows, (each) => take(deliveryRows, each));
  await sweep();
  expect((await rowOf(deliveryRows, id)).sentMs).toBeNull();
  await change(deliveryRows, id, sql`due_at = clock_timestamp() - interval '11 seconds'`);
  const queue = deps.queues.byName.webhooks;
  await queue.pause();
  await sweep();
  expect((await rowOf(deliveryRows, id)).sentMs).toBeNull();
  await queue.resume();
  await sweep();
  expect((await rowOf(deliveryRows, id)).sentMs).not.toBeNull();
});

test("a row waits that was tried, is older than a minute, or is under way for long; one that was sent or given up does not", async () => {
  const { rows, write } = kinds[0] ?? { rows: mailRows, write: () => Promise.resolve(0) };
  const [first, second] = [await write(), await write()];
  expect(await findUnsent(db, rows)).toMatchObject({ unsent: 2, waiting: 0, reason: null, nextAt: null });
  await refuse(rows, first);
  await fail(rows, second);
  const { oldestAt, nextAt, ...counts } = await findUnsent(db, rows);
  expect(counts).toEqual({ unsent: 2, waiting: 2, reason: "not today" });
  expect([oldestAt !== null, nextAt?.getTime()]).toEqual([true, (await rowOf(rows, first)).dueMs]);
  await db.delete(mails);

  const old = await write();
  await change(rows, old, sql`created_at = clock_timestamp() - interval '61 seconds'`);
  expect(await findUnsent(db, rows)).toMatchObject({ unsent: 1, waiting: 1, reason: null });
  await take(rows, old);
  expect(await findUnsent(db, rows)).toMatchObject({ unsent: 0, waiting: 0 });
  await put(rows, await write(), { failure: { error: "unknown", retry: "never" } });
  expect(await findUnsent(db, rows)).toMatchObject({ unsent: 0, waiting: 0, reason: null });
});

test.each(
  kinds.flatMap(({ rows: { slow, ...rows }, write }) =>
    slow === null ? [] : [{ rows: { slow, ...rows }, write }],
  ),
)("of $rows.queue it is said that their server is slow while an attempt lasts", async ({ rows, write }) => {
  const id = await write();
  const held = Promise.withResolvers<Outcome>();
  const sent = sendDue(deps, rows, id, () => held.promise);
  await waitFor("the attempt", async () => (await rowOf(rows, id)).attempts === 1);
  expect(await findUnsent(db, rows)).toMatchObject({ unsent: 1, waiting: 0, reason: null });
  await change(rows, id, sql`due_at = due_at - interval '5 seconds'`);
  const { waiting, reason } = await findUnsent(db, rows);
  expect([waiting, reason]).toEqual([
    1,
    expect.stringMatching(/^One has been under way for \d+ s: the .* is slow/),
  ]);
  held.resolve({ failure: null });
  await sent;
});
