import { and, eq, isNotNull } from "drizzle-orm";
import { type Database, inTransaction, type Queryable } from "#db/client.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { reminders } from "#db/schema/reminders.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { site } from "#src/settings/contract.ts";
import type { Env } from "#src/settings/env.ts";
import { lockNamed, requireOpenSession } from "#src/show/sessions/find-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { REMIND_BEFORE_MINUTES } from "./contract.ts";
import type { ReminderView } from "./schemas.ts";

type Planned = SessionRow & { startsAt: Date };

/** True for a session that is planned for a time and has not started. */
function isPlanned(session: SessionRow): session is Planned {
  return session.state === "pending" && session.startsAt !== null;
}

/** @throws Refusal 404 for every session that is not planned for a time or is shut for the viewer, so that nobody learns which others exist. */
async function requirePlanned(
  db: Queryable,
  slugOrId: string,
  viewer: Pick<Viewer, "id" | "roles"> | null,
): Promise<Planned> {
  const session = await requireOpenSession(db, slugOrId, viewer);
  if (!isPlanned(session)) throw notFound();
  return session;
}

/**
 * When a planned session starts, and how this viewer is reminded of it; null: somebody who is signed out.
 * @throws Refusal 404 for a session that is not planned.
 */
export async function findReminder(
  db: Queryable,
  { slugOrId, viewer }: { slugOrId: string; viewer: Pick<Viewer, "id" | "roles"> | null },
): Promise<ReminderView> {
  const { id: sessionId, slug, name, startsAt } = await requirePlanned(db, slugOrId, viewer);
  const about = { sessionId, slug, name, startsAt: startsAt.toISOString() };
  if (viewer === null) return { ...about, isSet: false, way: null };
  const mine = and(eq(reminders.sessionId, sessionId), eq(reminders.userId, viewer.id));
  const [count, way] = await Promise.all([db.$count(reminders, mine), findWay(db, viewer.id)]);
  return { ...about, isSet: count > 0, way };
}

/** How a user is reached while no page is open. An address that nobody has confirmed may be somebody else's. */
async function findWay(db: Queryable, userId: number): Promise<ReminderView["way"]> {
  if ((await db.$count(pushSubscriptions, eq(pushSubscriptions.userId, userId))) > 0) return "push";
  const reachable = and(eq(users.id, userId), isNotNull(users.email), isNotNull(users.confirmedAt));
  return (await db.$count(users, reachable)) > 0 ? "mail" : null;
}

type Reminded = { slugOrId: string; viewer: Pick<Viewer, "id" | "roles"> };

/**
 * Reminds a viewer of a planned session. A reminder that is set already stays.
 * @throws Refusal 404 for a session that is not planned for a time; 422 `unreachable` for a viewer whom no message can reach.
 */
export function setReminder(db: Database, { slugOrId, viewer }: Reminded): Promise<void> {
  return inTransaction(db, async (tx) => {
    const session = await lockNamed(tx, slugOrId);
    if (!isPlanned(session)) throw notFound();
    await requireSessionId(tx, String(session.id), viewer);
    if ((await findWay(tx, viewer.id)) === null) throw unreachable();
    await tx
      .insert(reminders)
      .values({ sessionId: session.id, userId: viewer.id })
      .onConflictDoNothing({ target: [reminders.sessionId, reminders.userId] });
  });
}

/**
 * Takes a reminder back. Without one nothing changes.
 * @throws Refusal 404 for an unknown session, and one that is shut for the viewer.
 */
export async function removeReminder(db: Database, { slugOrId, viewer }: Reminded): Promise<void> {
  const sessionId = await requireSessionId(db, slugOrId, viewer);
  await db.delete(reminders).where(and(eq(reminders.sessionId, sessionId), eq(reminders.userId, viewer.id)));
}

function unreachable() {
  return invalid(
    { reminder: ["has no way to reach you"] },
    {
      code: "unreachable",
      detail:
        "Switch on messages in this browser, or confirm an email address. The calendar file works without either.",
    },
  );
}

// Decision: a calendar file is a dozen lines of text, so it is written here and by no library. RFC 5545: content lines end with CR LF,
// and are folded after at most 75 bytes (3.1); texts escape backslash, semicolon, comma and line breaks (3.3.11).

const LINE_BYTES_MAX = 75;
/** Nobody plans the end of a session. A calendar needs a length to show it. */
const SHOWN_FOR = "PT1H";

/**
 * A planned session as a calendar file.
 * @throws Refusal 404 for a session that is not planned for a time.
 */
export async function downloadCalendar(
  { env, pool }: Pick<Deps, "env" | "pool">,
  slugOrId: string,
  viewer: Viewer | null,
): Promise<Response> {
  const session = await requirePlanned(pool.db, slugOrId, viewer);
  return new Response(writeCalendar(env, session), {
    headers: {
      "content-type": "text/calendar; charset=utf-8; method=PUBLISH",
      "content-disposition": `attachment; filename="${session.slug}.ics"`,
      "cache-control": "no-cache",
    },
  });
}

type Dated = Pick<Planned, "id" | "name" | "description" | "slug" | "version" | "updatedAt" | "startsAt">;

/**
 * A planned session as an iCalendar file. Its UID stays and its SEQUENCE grows with each change of the session, so that a calendar
 * replaces what it has of it.
 */
export function writeCalendar({ publicUrl }: Pick<Env, "publicUrl">, session: Dated): string {
  const { id, name, description, slug, version, updatedAt, startsAt } = session;
  const url = `${publicUrl}/sessions/${slug}`;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//${escapeText(site().name)}//Sessions//EN`,
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:session-${id}@${new URL(publicUrl).hostname}`,
    `DTSTAMP:${utc(updatedAt)}`,
    `SEQUENCE:${version}`,
    `DTSTART:${utc(startsAt)}`,
    `DURATION:${SHOWN_FOR}`,
    `SUMMARY:${escapeText(name)}`,
    `DESCRIPTION:${escapeText(description === "" ? url : `${description}\n\n${url}`)}`,
    `URL:${url}`,
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${escapeText(name)}`,
    `TRIGGER:-PT${REMIND_BEFORE_MINUTES}M`,
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

/** "20261121T200000Z" */
function utc(time: Date): string {
  return `${time.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`);
}

/** Breaks a line between characters; what follows begins with a space, which counts. */
function fold(line: string): string {
  let folded = "";
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES_MAX) {
      folded += "\r\n ";
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
}
