import { beforeEach, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { sql } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import { pruneTable } from "#jobs/schedule.ts";
import { startWorker } from "#jobs/workers.ts";
import { connectRedis } from "#src/base/redis.ts";
import { type Compose, deliverDueMails, deliverMail } from "#src/mail/deliver-mail.ts";
import { writeLetter } from "#src/mail/letter.ts";
import { sendLetter } from "#src/mail/send-letter.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import { findUndeliveredMails } from "#src/operate/operations/find-undelivered.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { flood, HostileServer } from "#tests/support/hostile-server.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { startMailServer } from "./mail-server.ts";

const server = await startMailServer();

const { deps, db, read, set, build } = await testWorld({
  SMTP_URL: server.url,
  PUBLIC_URL: "https://called.example",
});
const { id: userId } = await build.player();
afterFile(() => server.stop());

beforeEach(async () => {
  server.refuseWith(null);
  server.received.length = 0;
  await db.delete(mails);
});

const compose: Compose = async (_deps, { recipient }) =>
  writeLetter({
    to: recipient,
    subject: "A <subject>",
    paragraphs: ["One & only.", "Two."],
    link: { label: "Open", url: "https://called.example/?a=1&b=2" },
  });

const write = (terms: { recipient?: string; userId?: number } = {}) =>
  writeMail(db, { kind: "password_changed", recipient: "ana@example.test", userId, ...terms });
const writeRequested = (recipient: string) => writeMail(db, { kind: "reset_password", recipient });
const rowOf = (id: number) => read.row(mails, id);
const makeDue = (id: number) => set(mails, id, { dueAt: sql`clock_timestamp() - interval '10 seconds'` });

test("a mail is sent as plain text and HTML, with its own Message-ID, and marked as sent", async () => {
  const id = await write();
  expect(await deliverMail(deps, id, compose)).toBeNull();
  const [mail] = server.received;
  expect(mail).toMatchObject({ from: "no-reply@called.example", to: ["ana@example.test"] });
  const text = String(mail?.text);
  for (const line of [
    "From: Called It <no-reply@called.example>",
    "To: ana@example.test",
    "Subject: A <subject>",
    "Auto-Submitted: auto-generated",
    "Content-Type: text/plain",
    "Content-Type: text/html",
    "One & only.",
    "One &amp; only.",
  ])
    expect(text).toContain(line);
  expect(text).toMatch(new RegExp(`Message-ID: <mail-${id}-\\d+@called.example>`, "i"));
  const row = await rowOf(id);
  expect(row.sentAt).not.toBeNull();
  expect(row.kept).toBeNull();
});

test("operators read why mails wait, and how many were given up", async () => {
  server.refuseWith(451);
  const refused = await write();
  await deliverMail(deps, refused, compose);
  expect(await findUndeliveredMails(db)).toMatchObject({
    waiting: 1,
    reason: expect.stringContaining("not today"),
    nextAt: (await rowOf(refused)).dueAt.toISOString(),
    failed: 0,
  });
  server.refuseWith(550, { at: "RCPT TO" });
  await deliverMail(deps, await write(), compose);
  expect(await findUndeliveredMails(db)).toMatchObject({ waiting: 1, failed: 1 });
});

test("a mail without a job is sent by the sweep", async () => {
  const id = await write();
  await deliverDueMails(deps, compose);
  expect(server.received).toHaveLength(0);
  await makeDue(id);
  await deliverDueMails(deps, compose);
  expect(server.received).toHaveLength(1);
});

test("a mail without a letter is deleted and not sent", async () => {
  const id = await write();
  expect(await deliverMail(deps, id, async () => null)).toBeNull();
  expect(server.received).toEqual([]);
  expect(await db.$count(mails)).toBe(0);
});

test("a requested mail is sent at most once a minute to the same address", async () => {
  for (let count = 0; count < 5; count += 1)
    await deliverMail(deps, await writeRequested("ben@example.test"), compose);
  expect(server.received).toHaveLength(1);
  await deliverMail(deps, await writeRequested("cleo@example.test"), compose);
  expect(server.received).toHaveLength(2);
  await db.update(mails).set({ sentAt: sql`clock_timestamp() - interval '61 seconds'` });
  await deliverMail(deps, await writeRequested("ben@example.test"), compose);
  expect(server.received).toHaveLength(3);
});

test("a worker sends an enqueued mail, and retries a refused one", async () => {
  const connection = connectRedis(deps.env.redisUrl, "worker");
  // The worker composes the real text.
  const worker = startWorker("sendMail", deps, connection);
  const id = await write();
  await enqueueMail(deps, id);
  await untilPasses(() => expect(server.received[0]?.text).toContain("Subject: Your password was changed"));

  server.refuseWith(451);
  const refused = await write();
  await enqueueMail(deps, refused);
  await waitFor("the refusal to be recorded", async () => (await rowOf(refused)).error !== null);
  const job = await waitFor(
    "the job to wait",
    async () =>
      (await deps.queues.byName.mails.getDelayed()).find(({ data }) =>
        Bun.deepEquals(data, { mailId: refused }),
      ) ?? null,
  );
  await waitFor("the job to be put off", async () => (await job.getState()) === "delayed");
  server.refuseWith(null);
  await makeDue(refused);
  await job.changeDelay(0);
  await waitFor("the mail to arrive after all", () => server.received.length === 2);
  await worker.close();
  connection.disconnect();
});

test("in production without a mail server a mail waits, and its letter is not stored", async () => {
  const bare = { ...deps, env: { ...deps.env, smtpUrl: null, production: true } };
  const id = await write();
  expect(await deliverMail(bare, id, compose)).toBe(4_000);
  expect(await rowOf(id)).toMatchObject({ kept: null, sentAt: null, error: "SMTP_URL is not set" });
});

test("old mails are deleted, sent ones earlier than failed ones", async () => {
  const [sent, fresh, failed] = [await write(), await write(), await write()];
  const days = (count: number) => sql`clock_timestamp() - make_interval(days => ${count})`;
  await set(mails, sent, { sentAt: days(8) });
  await set(mails, failed, { failedAt: days(8) });
  await pruneTable(deps, mails);
  const left = await db.select({ id: mails.id }).from(mails).orderBy(mails.id);
  expect(left.map(({ id }) => id)).toEqual([fresh, failed]);
});

const composeOnce: Compose = async (_deps, { recipient }) =>
  writeLetter({ to: recipient, subject: "A subject", paragraphs: ["A text."] });

const refused = [
  { what: "a limit of the sender", code: 550, at: "MAIL FROM", text: "5.4.5 Daily sending quota exceeded" },
  { what: "the same, told of the recipient", code: 550, at: "RCPT TO", text: "5.4.5 Daily quota exceeded" },
  { what: "a policy", code: 554, at: "DATA", text: "5.7.0 Message rejected" },
  { what: "a list of senders", code: 554, at: "RCPT TO", text: "5.7.1 Client host blocked" },
  { what: "a full mailbox", code: 552, at: "RCPT TO", text: "5.2.2 Mailbox full" },
  { what: "an address of the sender", code: 553, at: "RCPT TO", text: "5.1.8 Sender address rejected" },
  { what: "a sender, in plain words", code: 550, at: "MAIL FROM", text: "not you" },
  { what: "an unknown mailbox", code: 550, at: "RCPT TO", text: "5.1.1 User unknown", isForGood: true },
  { what: "an unknown host", code: 550, at: "RCPT TO", text: "5.1.2 Host unknown", isForGood: true },
  { what: "a recipient, in plain words", code: 550, at: "RCPT TO", text: "who is that", isForGood: true },
  { what: "an unknown mailbox, told late", code: 550, at: "DATA", text: "5.1.10 Not found", isForGood: true },
] as const;

for (const { what, code, at, text, ...rest } of refused) {
  const isForGood = "isForGood" in rest;
  test(`${what} is a reason to ${isForGood ? "give the mail up" : "send the mail later"}`, async () => {
    const id = await writeMail(db, {
      kind: "reset_password",
      recipient: `${crypto.randomUUID()}@example.test`,
    });
    server.refuseWith(code, { at, text });
    expect(await deliverMail(deps, id, composeOnce)).toBe(isForGood ? null : 4_000);
    const { failedAt, error } = await read.row(mails, id);
    expect([failedAt !== null, error]).toEqual([isForGood, expect.stringContaining(text)]);
    server.refuseWith(null);
    const { length } = server.received;
    await set(mails, id, { dueAt: sql`clock_timestamp()` });
    await deliverMail(deps, id, composeOnce);
    expect(server.received).toHaveLength(length + (isForGood ? 0 : 1));
  });
}

const letter = writeLetter({
  to: "ana@example.test",
  subject: "A subject",
  paragraphs: ["One."],
  link: { label: "Open", url: "https://called.example/" },
});

/** Greets, and then answers the first command with one line every 100 ms, for ever. */
function talkForEver(socket: Socket): void {
  socket.write("220 mail.example.test\r\n");
  socket.once("data", () => {
    const timer = setInterval(() => socket.write("250-MORE\r\n"), 100);
    socket.on("close", () => clearInterval(timer));
  });
}

const say = (server: HostileServer, timeoutMs: number) =>
  sendLetter(letter, {
    smtpUrl: server.origin.replace("http:", "smtp:"),
    from: "a@example.test",
    id: "mail-1",
    timeoutMs,
  }).catch((caught: unknown) => caught);

test.each([
  ["a line that never ends", "220 ", "x".repeat(65_536)],
  ["an answer of lines that never ends", "220-mail\r\n", "220-more\r\n".repeat(6_000)],
  ["answers that nobody has asked for", "220 mail\r\n", "220 more\r\n".repeat(6_000)],
])(
  "of a mail server that sends %s little is read, and the connection is closed",
  async (_what, start, part) => {
    const server = await HostileServer.start((socket) => {
      socket.write(start);
      flood(socket, part);
    });
    await say(server, 60_000);
    await waitFor("the connection to be closed", () => server.openMax === 1 && server.open === 0);
    expect(server.bytesWritten).toBeLessThan(64_000_000);
  },
);

test("a mail server that never stops talking is given up at the deadline, and the connection is closed", async () => {
  const server = await HostileServer.start(talkForEver);
  expect(await say(server, 1_500)).toBeInstanceOf(Error);
  await waitFor("the connection to be closed", () => server.openMax === 1 && server.open === 0);
});
