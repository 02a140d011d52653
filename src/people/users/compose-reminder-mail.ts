import { and, eq, inArray } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { type Letter, writeLetter } from "#src/mail/letter.ts";
import type { MailRow } from "#src/mail/write-mail.ts";
import type { Env } from "#src/settings/env.ts";

/** The mail that reminds a user of a session. Null once the session is over: the mail comes too late then. */
export async function composeReminderMail(
  db: Queryable,
  { publicUrl }: Pick<Env, "publicUrl">,
  { recipient, sessionId, username }: Pick<MailRow, "recipient" | "sessionId"> & { username: string },
): Promise<Letter | null> {
  if (sessionId === null) return null;
  const isToCome = inArray(sessions.state, ["pending", "running", "paused"]);
  const [session] = await db
    .select({ name: sessions.name, slug: sessions.slug, state: sessions.state })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isToCome));
  if (session === undefined) return null;
  const { name, slug, state } = session;
  const subject = state === "pending" ? `${name} starts soon` : `${name} is live`;
  return writeLetter({
    to: recipient,
    subject,
    paragraphs: [
      `Hello ${username}, ${state === "pending" ? `${name} starts in a few minutes` : `${name} has started`}.`,
      "You asked for this mail. There is no other one about this session unless it is moved.",
      `To take the reminder back: ${publicUrl}/sessions/${slug}/remind`,
    ],
    link: { label: "Open the session", url: `${publicUrl}/sessions/${slug}` },
  });
}
