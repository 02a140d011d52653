import { and, eq, sql } from "drizzle-orm";
import { LinkifyIt } from "linkify-it";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { messages, mutes } from "#db/schema/messages.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { findBadWord } from "#src/base/find-bad-word.ts";
import { normalizeText } from "#src/base/normalize-text.ts";
import { keyReused } from "#src/base/once.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { guestRefused, invalid, Refusal } from "#src/base/refusal.ts";
import { refuseSwitchedOff } from "#src/base/switches/refuse-switched-off.ts";
import { say } from "#src/http/contract.ts";
import { can } from "#src/people/sign-ins/require-host.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { lockAgainstDeletion, requireSessionId } from "#src/play/find-session-id.ts";
import { MESSAGE_EVERY_SECONDS } from "./contract.ts";

export type NewMessage = {
  viewer: Pick<Viewer, "id" | "guest" | "roles" | "hostOf">;
  /** A session's id or slug. */
  sessionId: string;
  body: string;
  /** Unique per player, the message's Idempotency-Key: the same id with the same text returns the first message. */
  clientId: string;
};

/** Milliseconds until the next message is allowed, by the general limit and by slow mode; null or negative: now. */
const waitRow = v.tuple([
  v.object({
    limitMs: v.nullable(v.number()),
    slowModeMs: v.nullable(v.number()),
    slowModeSeconds: v.number(),
  }),
]);

/*
 * A message with an insult or a link is refused, not masked. Masked words are still readable, and the sender learns nothing.
 * The refusal names the text to remove, and the message stays in the form to be edited. Addresses are found by `linkify-it`, in
 * the text as it looks. "wow.me too", "yes.no" and "3.2.1.0" have the form of an address as well, so one without "https://" or
 * "www" needs a path or an ending that is known for addresses and begins no sentence. Written as a name, "Booking.com" and "ASP.net"
 * are words: no message has links to press, so who advertises gains nothing by a capital that a host cannot take away.
 */

/** Endings of addresses that the library does not take for one. */
const moreEndings =
  "app bet casino chat click club dev games link live online poker site store top vip xyz".split(" ");
const links = new LinkifyIt({ fuzzyLink: true, fuzzyIP: true }).tlds(moreEndings, true);
/** They make an address of a name that has nothing else. */
const wellKnown =
  /\.(?:com|net|org|edu|gov|biz|info|io|co\.uk|org\.uk|com\.au|co\.jp|com\.br|de|fr|nl|pl|ru|eu|ch|app|bet|casino|click|dev|online|poker|site|store|vip|xyz|xxx)$/i;
/** A name with a capital, one dot and a small ending, or an abbreviation in capitals such as "ASP.NET"; nothing that is for sale. */
const asName = /^(?:[A-Z][A-Za-z\d]*\.(?:com|net|org|io|co|eu|de|fr)|[A-Z]{2,3}\.[A-Z]{2,3})$/;
const explicit = /^(?:https?:|ftp:|mailto:)?\/\/|^mailto:|^www\.|@/i;
/** What is behind the name: a path, a port, a question mark. */
const behindName = /^[^/?#:]+[/?#:]./;

/**
 * Writes a message into a session's chat and broadcasts it. A message that is sent by cable and by HTTP under one client id is
 * one message.
 * @returns the message's id, and whether it was already written under the same client id.
 * @throws Refusal 403 for guests and muted players, and where the chat is turned off; 404 for an unknown session; 422 for insults and links, and for the client
 *   id of another message; 429 too soon after the player's last message. Nothing changes then.
 */
export async function createMessage(
  deps: Pick<Deps, "pool" | "notifyRelay">,
  message: NewMessage,
): Promise<{ messageId: number; replayed: boolean }> {
  const { viewer, body, clientId } = message;
  if (viewer.guest) throw guestRefused();
  await refuseSwitchedOff(deps.pool.db, "chat");
  const userId = viewer.id;
  const sessionId = await requireSessionId(deps.pool.db, message.sessionId, viewer);
  const runs = can(viewer, "run", { id: sessionId });
  refuseUnfitText(body, { links: runs ? "allowed" : "refused" });
  const written = await inTransaction(deps.pool.db, async (tx) => {
    // Serializes the player's messages in all sessions.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
    const replayedId = await findReplayed(tx, { sessionId, userId, body, clientId });
    if (replayedId !== null) return { messageId: replayedId, replayed: true };
    await lockAgainstDeletion(tx, sessionId);
    await checkMute(tx, { sessionId, userId });
    await checkMessageRate(tx, { sessionId, userId, admin: runs });
    return {
      messageId: await insertMessage(tx, { sessionId, userId, body, clientId, runs }),
      replayed: false,
    };
  });
  deps.notifyRelay();
  return written;
}

type MessageValues = { sessionId: number; userId: number; body: string; clientId: string };

async function findReplayed(tx: Transaction, values: MessageValues): Promise<number | null> {
  const [row] = await tx
    .select()
    .from(messages)
    .where(and(eq(messages.userId, values.userId), eq(messages.clientId, values.clientId)));
  if (row === undefined) return null;
  if (row.sessionId === values.sessionId && row.body === values.body) return row.id;
  throw keyReused("message");
}

async function checkMute(
  tx: Transaction,
  { sessionId, userId }: { sessionId: number; userId: number },
): Promise<void> {
  const minutesLeft = sql<number>`ceil(extract(epoch FROM ${mutes.until} - game_now()) / 60)::int`;
  const [mute] = await tx
    .select({ reason: mutes.reason, minutes: minutesLeft })
    .from(mutes)
    .where(and(eq(mutes.sessionId, sessionId), eq(mutes.userId, userId)));
  if (mute === undefined || mute.minutes < 1) return;
  const wait = mute.minutes === 1 ? "a minute" : `${mute.minutes} minutes`;
  throw new Refusal(403, "muted", say`You cannot write here for ${wait}: ${mute.reason}`);
}

/** A host's own message needs nobody's approval. */
async function insertMessage(
  tx: Transaction,
  { runs, ...values }: MessageValues & { runs: boolean },
): Promise<number> {
  const [row] = await tx
    .insert(messages)
    .values({ ...values, createdAt: sql`game_now()`, approvedAt: runs ? sql`game_now()` : null })
    .returning({ id: messages.id });
  if (row === undefined) throw new Error("the insert of a message returned no row");
  await writeFact(tx, { kind: "message_created", messageId: row.id });
  return row.id;
}

type Sender = { userId: number; sessionId: number; admin: boolean };

/**
 * Refuses a message too soon after the player's last one: 2 s in all sessions together, longer in a session in slow mode.
 * Slow mode does not apply to admins.
 * @param tx holds the lock on the player's row, so that a player's concurrent messages are checked one after the other.
 * @throws Refusal 429 with Retry-After.
 */
async function checkMessageRate(tx: Transaction, { userId, sessionId, admin }: Sender): Promise<void> {
  const [{ limitMs, slowModeMs, slowModeSeconds }] = v.parse(
    waitRow,
    await tx.execute(sql`
      SELECT slow.seconds AS "slowModeSeconds",
        (extract(epoch FROM max(m.created_at) - game_now()) * 1000)::float8
          + ${MESSAGE_EVERY_SECONDS * 1_000}::float8 AS "limitMs",
        (extract(epoch FROM max(m.created_at) FILTER (WHERE m.session_id = s.id) - game_now()) * 1000)::float8
          + slow.seconds * 1000::float8 AS "slowModeMs"
      FROM sessions s
      CROSS JOIN LATERAL (SELECT coalesce((s.settings ->> 'slowModeSeconds')::int, 0) AS seconds) slow
      LEFT JOIN messages m ON m.user_id = ${userId}
        AND m.created_at > game_now() - make_interval(secs => greatest(slow.seconds, ${MESSAGE_EVERY_SECONDS}::int))
      WHERE s.id = ${sessionId}
      GROUP BY slow.seconds`),
  );
  if (!admin && (slowModeMs ?? 0) > Math.max(0, limitMs ?? 0)) {
    throw tooSoon(slowModeMs ?? 0, `Slow mode is on: one message every ${slowModeSeconds} seconds.`);
  }
  if (limitMs !== null && limitMs > 0) {
    throw tooSoon(limitMs, `One message every ${MESSAGE_EVERY_SECONDS} seconds.`);
  }
}

function tooSoon(waitMs: number, rule: string): Refusal {
  const waitS = Math.ceil(waitMs / 1_000);
  const wait = waitS === 1 ? "a second" : `${waitS} seconds`;
  return new Refusal(429, "too_soon", `${rule} Try again in ${wait}.`, { retryAfterSeconds: waitS });
}

/**
 * Refuses a message with an insult or a link.
 * @param links "allowed" for admins.
 * @throws Refusal 422; `detail` names the text to remove.
 */
export function refuseUnfitText(body: string, { links }: { links: "allowed" | "refused" }): void {
  const word = findBadWord(body);
  if (word !== null) {
    throw invalid(
      { body: ["has a word that is not used here"] },
      { code: "word", detail: `Say it without "${word}".` },
    );
  }
  const link = links === "allowed" ? null : findLink(body);
  if (link !== null) {
    throw invalid({ body: ["has a link"] }, { code: "link", detail: `Say it without "${link}".` });
  }
}

function findLink(body: string): string | null {
  const { text, originalOf } = normalizeText(body);
  const found = links
    .match(text.replaceAll("\u3002", "."))
    ?.map(({ text: link, index, lastIndex }) => ({ link, written: originalOf(index, lastIndex) }))
    .find(
      ({ link, written }) =>
        explicit.test(link) || behindName.test(link) || (wellKnown.test(link) && !asName.test(written)),
    );
  return found?.written ?? null;
}
