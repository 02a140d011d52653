import { eq } from "drizzle-orm";
import { seasons } from "#db/schema/seasons.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { auditSeason, seasonIn, writeSeasons } from "./write-season.ts";

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
