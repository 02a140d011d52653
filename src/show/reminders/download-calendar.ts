import type { Deps } from "#src/base/deps.ts";
import { requirePlanned } from "./find-reminder.ts";
import { writeCalendar } from "./write-calendar.ts";

/**
 * A planned session as a calendar file.
 * @throws Refusal 404 for a session that is not planned for a time.
 */
export async function downloadCalendar(
  { env, pool }: Pick<Deps, "env" | "pool">,
  slugOrId: string,
): Promise<Response> {
  const session = await requirePlanned(pool.db, slugOrId);
  return new Response(writeCalendar(env, session), {
    headers: {
      "content-type": "text/calendar; charset=utf-8; method=PUBLISH",
      "content-disposition": `attachment; filename="${session.slug}.ics"`,
      "cache-control": "no-cache",
    },
  });
}
