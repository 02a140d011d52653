import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import { type Compose, deliverMail } from "#src/mail/deliver-mail.ts";
import { writeLetter } from "#src/mail/letter.ts";
import { writeMail } from "#src/mail/write-mail.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { only } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { setRows } from "#tests/support/rows.ts";
import { startMailServer } from "./mail-server.ts";

const server = await startMailServer();
const deps = await testDeps({ SMTP_URL: server.url });
const { db } = deps.pool;
afterFile(() => server.stop());

const compose: Compose = async (_deps, { recipient }) =>
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
    expect(await deliverMail(deps, id, compose)).toBe(isForGood ? null : 4_000);
    const { failedAt, error } = only(await db.select().from(mails).where(eq(mails.id, id)));
    expect([failedAt !== null, error]).toEqual([isForGood, expect.stringContaining(text)]);
    server.refuseWith(null);
    const { length } = server.received;
    await setRows(db, mails, eq(mails.id, id), { dueAt: sql`clock_timestamp()` });
    await deliverMail(deps, id, compose);
    expect(server.received).toHaveLength(length + (isForGood ? 0 : 1));
  });
}
