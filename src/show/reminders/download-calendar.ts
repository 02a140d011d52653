import type { Deps } from "#src/base/deps.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requirePlanned } from "./find-reminder.ts";
import { writeCalendar } from "./write-calendar.ts";

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
