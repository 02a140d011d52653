import type { Deps } from "#src/base/deps.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import type { Env } from "#src/settings/env.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { REMIND_BEFORE_MINUTES } from "./contract.ts";
import { requirePlanned } from "./reminder.ts";

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

type Planned = Pick<SessionRow, "id" | "name" | "description" | "slug" | "version" | "updatedAt"> & {
  startsAt: Date;
};

/**
 * A planned session as an iCalendar file. Its UID stays and its SEQUENCE grows with each change of the session, so that a calendar
 * replaces what it has of it.
 */
export function writeCalendar({ publicUrl }: Pick<Env, "publicUrl">, session: Planned): string {
  const { id, name, description, slug, version, updatedAt, startsAt } = session;
  const url = `${publicUrl}/sessions/${slug}`;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Called It//Sessions//EN",
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
