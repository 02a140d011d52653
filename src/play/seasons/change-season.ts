import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { seasons } from "#db/schema/seasons.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import type { ChangeSeasonBody, SeasonView } from "./schemas.ts";
import { auditSeason, requireFree, seasonIn, updateSeason, writeSeasons } from "./write-season.ts";

type Order = { id: number; actor: Actor };

/**
 * Renames a season, or changes its dates.
 * @throws Refusal 404 for an unknown one; 422 for dates that overlap another's, or end before they start.
 */
export async function changeSeason(
  deps: Pick<Deps, "pool">,
  { id, actor, changes }: Order & { changes: ChangeSeasonBody },
): Promise<SeasonView> {
  return writeSeasons(deps, async (tx, known) => {
    const season = seasonIn(known, id);
    const { name = season.name, startsAt = season.startsAt, endsAt = season.endsAt } = changes;
    const values = { name, startsAt, endsAt };
    requireFree(known, id, values);
    return updateSeason(tx, { season, actor, action: "change_season", values });
  });
}

const nowRow = v.object({ now: v.date() });

/**
 * Ends the running season now.
 * @throws Refusal 404 for an unknown one; 422 for one that does not run.
 */
export async function endSeason(deps: Pick<Deps, "pool">, { id, actor }: Order): Promise<SeasonView> {
  return writeSeasons(deps, async (tx, known) => {
    const season = seasonIn(known, id);
    if (season.state !== "running") throw notRunning(season);
    // Moments of the program have milliseconds: the next season can begin where this one ends.
    const [row] = await tx.execute(sql`SELECT date_trunc('milliseconds', game_now()) AS now`);
    const endsAt = v.parse(nowRow, row).now;
    return updateSeason(tx, { season, actor, action: "end_season", values: { endsAt } });
  });
}

function notRunning({ state }: { state: string }): Refusal {
  const detail =
    state === "planned" ? "It has not begun. Delete it, or change its dates." : "It is over already.";
  return new Refusal(422, "not_running", "The season does not run now.", { detail });
}

/** Deletes a season. Refuses an unknown one: 404. */
export async function deleteSeason(
  deps: Pick<Deps, "pool">,
  { id, actor }: { id: number; actor: Actor },
): Promise<void> {
  await writeSeasons(deps, async (tx, known) => {
    const season = seasonIn(known, id);
    await tx.delete(seasons).where(eq(seasons.id, id));
    await auditSeason(tx, { actor, action: "delete_season", id, before: season, after: null });
  });
}
