import { beforeEach, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import { type Compose, deliverDueMails, deliverMail } from "#src/mail/deliver-mail.ts";
import { writeLetter } from "#src/mail/letter.ts";
import { writeMail } from "#src/mail/write-mail.ts";
import { findUndeliveredMails } from "#src/operate/operations/find-undelivered.ts";
import { sendWaiting } from "#src/operate/operations/send-waiting.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildPlayer, only } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { startMailServer } from "./mail-server.ts";

const server = await startMailServer();
const deps = await testDeps({ SMTP_URL: server.url });
const down = { ...deps, env: { ...deps.env, smtpUrl: "smtp://127.0.0.1:1" } };
const { id: userId } = await buildPlayer(deps);
const { db } = deps.pool;
afterFile(() => server.stop());

beforeEach(async () => {
  server.refuseWith(null);
  server.received.length = 0;
  await db.delete(mails);
});

const compose: Compose = async (_deps, { recipient }) =>
  writeLetter({ to: recipient, subject: "A subject", paragraphs: ["A text."] });
const write = () => writeMail(db, { kind: "password_changed", recipient: "ana@example.test", userId });
const rowOf = async (id: number) => only(await db.select().from(mails).where(eq(mails.id, id)));
const isDue = async (id: number) => (await rowOf(id)).dueAt.getTime() <= Date.now();
/** As many attempts later. The next one is hours ahead. */
const fail = async (id: number, attempts = 8) => {
  await db
    .update(mails)
    .set({ attempts: attempts - 1, dueAt: sql`clock_timestamp()` })
    .where(eq(mails.id, id));
  expect(await deliverMail(down, id, compose)).toBeGreaterThan(0);
  await db
    .update(mails)
    .set({ dueAt: sql`clock_timestamp() + interval '1 hour'` })
    .where(eq(mails.id, id));
};
/** The sweep leaves what is due for less than a few seconds to the job. */
const sweep = async () => {
  await db
    .update(mails)
    .set({ dueAt: sql`clock_timestamp() - interval '10 seconds'` })
    .where(sql`due_at <= clock_timestamp()`);
  await deliverDueMails(deps, compose);
};

test("while the mail server is away a mail that was tried waits, however far ahead its next attempt is", async () => {
  const [first, second] = [await write(), await write()];
  expect(await findUndeliveredMails(db)).toMatchObject({
    waiting: 0,
    sending: 2,
    reason: null,
    nextAt: null,
  });
  await deliverMail(down, first, compose);
  await fail(second);
  expect(await findUndeliveredMails(db)).toMatchObject({
    waiting: 2,
    sending: 0,
    reason: expect.stringContaining("ECONNREFUSED"),
    nextAt: (await rowOf(first)).dueAt.toISOString(),
    failed: 0,
  });
});

test("a mail that nobody has tried waits after a minute, and one that was sent or given up does not", async () => {
  const id = await write();
  await db.update(mails).set({ createdAt: sql`clock_timestamp() - interval '61 seconds'` });
  expect(await findUndeliveredMails(db)).toMatchObject({ waiting: 1, sending: 0, reason: null });
  await deliverMail(deps, id, compose);
  expect(await findUndeliveredMails(db)).toMatchObject({ waiting: 0, sending: 0, failed: 0 });
  server.refuseWith(550, { at: "RCPT TO" });
  await deliverMail(deps, await write(), compose);
  expect(await findUndeliveredMails(db)).toMatchObject({ waiting: 0, sending: 0, failed: 1 });
});

test("a mail that a slow server takes long for waits, and says so until it is sent", async () => {
  const id = await write();
  const slow = server.hold();
  const sent = deliverMail(deps, id, compose);
  await waitFor("the attempt", () => rowOf(id).then(({ attempts }) => attempts === 1));
  expect(await findUndeliveredMails(db)).toMatchObject({ waiting: 0, sending: 1, reason: null });
  await db.update(mails).set({ dueAt: sql`due_at - interval '5 seconds'` });
  const { waiting, reason } = await findUndeliveredMails(db);
  expect([waiting, reason]).toEqual([
    1,
    expect.stringMatching(/^One has been under way for \d+ s: the mail server is slow/),
  ]);
  slow.release();
  await sent;
  expect(await findUndeliveredMails(db)).toMatchObject({ waiting: 0, sending: 0, reason: null });
});

test("the first mail that is sent after an outage makes the others due, and they are sent", async () => {
  await deliverMail(deps, await write(), compose);
  const waiting = [await write(), await write()];
  for (const id of waiting) await fail(id);
  await deliverMail(deps, await write(), compose);
  // In the order in which they were written, and not all at once.
  const [first, second] = await Promise.all(waiting.map(rowOf));
  expect(Number(second?.dueAt) - Number(first?.dueAt)).toBe(100);
  expect(Number(first?.dueAt)).toBeLessThan(Date.now() + 1_000);
  await waitFor("the second to be due", () => isDue(waiting[1] ?? 0));
  await sweep();
  expect(server.received).toHaveLength(4);
  expect(await findUndeliveredMails(db)).toMatchObject({ waiting: 0, sending: 0, failed: 0 });
});

test("a mail that the server refuses while it takes others keeps its own times", async () => {
  const refused = await write();
  await deliverMail(deps, await write(), compose);
  server.refuseWith(451);
  await deliverMail(deps, refused, compose);
  const { dueAt, attempts } = await rowOf(refused);
  server.refuseWith(null);
  for (let count = 0; count < 3; count += 1) await deliverMail(deps, await write(), compose);
  expect(await rowOf(refused)).toMatchObject({ dueAt, attempts });
});

test("a mail that is being sent is not sent a second time because another one arrives or somebody asks for it", async () => {
  const slow = await write();
  await fail(slow);
  await db.update(mails).set({ dueAt: sql`clock_timestamp()` });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const attempt = deliverMail(deps, slow, async (...given) => {
    begin();
    await held;
    return compose(...given);
  });
  await begun;
  await deliverMail(deps, await write(), compose);
  await sendWaiting(deps);
  expect(await isDue(slow)).toBe(false);
  await sweep();
  release();
  await attempt;
  expect(server.received).toHaveLength(2);
});

test("what waits is sent now when an admin asks, and asking often does not bring it nearer to being given up", async () => {
  const id = await write();
  await fail(id, 10);
  for (let count = 0; count < 5; count += 1) {
    await sendWaiting(deps);
    expect(await isDue(id)).toBe(true);
    expect(await deliverMail(down, id, compose)).toBe(4_000);
  }
  expect(await rowOf(id)).toMatchObject({ failedAt: null });
  await sendWaiting(deps);
  await sweep();
  expect(server.received).toHaveLength(1);
});

test("while the queue of mails is paused no sweep sends one, and afterwards it goes on", async () => {
  const id = await write();
  await deps.queues.byName.mails.pause();
  await fail(id, 1);
  await sendWaiting(deps);
  await sweep();
  expect(server.received).toHaveLength(0);
  await deps.queues.byName.mails.resume();
  await sweep();
  expect(server.received).toHaveLength(1);
});

test("a server that is back is found within seconds by the first mail in line, and the rest follows without a job", async () => {
  const first = await write();
  const others = [await write(), await write()];
  for (const id of others) await fail(id);
  expect(await deliverMail(down, first, compose)).toBe(4_000);
  await db
    .update(mails)
    .set({ dueAt: sql`clock_timestamp()` })
    .where(eq(mails.id, first));
  await deliverMail(deps, first, compose);
  await waitFor("the others", async () => {
    await deliverDueMails(deps, compose);
    return server.received.length === 3;
  });
});
