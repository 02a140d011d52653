import { seasons } from "#db/schema/seasons.ts";
import { demoSeasons } from "#db/seeds/seasons.ts";
import { createSeason } from "#src/play/seasons/create-season.ts";
import type { Past } from "./past.ts";

const DAY_MS = 86_400_000;

/** Names the demo's seasons, unless there is one: they are in days from now, and would overlap. */
export async function seedSeasons(past: Past, now: Date): Promise<void> {
  if ((await past.pool.db.$count(seasons)) > 0) return;
  const today = Math.floor(now.getTime() / DAY_MS);
  const atDay = (day: number) => new Date((today + day) * DAY_MS);
  for (const { name, fromDay, untilDay } of demoSeasons)
    await createSeason(past.deps, { name, startsAt: atDay(fromDay), endsAt: atDay(untilDay), actor: null });
}
