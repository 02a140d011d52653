import { CURRENT_SEASON, SEASONS_MAX } from "#db/lists/seasons.ts";
import { seasons } from "#db/schema/seasons.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { madeRow, type MaybeKeyed, once } from "#src/base/once.ts";
import { invalid } from "#src/base/refusal.ts";
import { type SeasonRow, selectSeasons } from "#src/play/find-season.ts";
import { slugFrom } from "#src/play/slug-from.ts";
import type { NewSeasonBody, SeasonView } from "./schemas.ts";
import { auditSeason, presentSeason, requireFree, seasonIn, writeSeasons } from "./write-season.ts";

/**
 * Names a season.
 * @throws Refusal 422 for one that overlaps another or ends before it starts, and for one too many.
 */
export async function createSeason(
  deps: Pick<Deps, "pool">,
  { actor, ...terms }: NewSeasonBody & { actor: Actor },
  keyed: MaybeKeyed = null,
): Promise<SeasonView> {
  return writeSeasons(deps, async (tx, known) => {
    const { id } = await once(tx, keyed, madeRow, async () => {
      if (known.length >= SEASONS_MAX) throw tooMany();
      requireFree(known, null, terms);
      const slug = freeSlug(known, terms.name);
      const [made] = await tx
        .insert(seasons)
        .values({ ...terms, slug })
        .returning();
      if (made === undefined) throw new Error("the insert of a season returned no row");
      await auditSeason(tx, { actor, action: "create_season", id: made.id, before: null, after: made });
      return { id: made.id };
    });
    return presentSeason(seasonIn(await selectSeasons(tx), id));
  });
}

/** A slug that no season has, and that does not name the season of now. */
function freeSlug(known: readonly SeasonRow[], name: string): string {
  const taken = new Set([CURRENT_SEASON, ...known.map(({ slug }) => slug)]);
  const base = slugFrom(name, "season");
  let slug = base;
  for (let number = 2; taken.has(slug); number += 1) slug = `${base}-${number}`;
  return slug;
}

function tooMany() {
  return invalid(
    { season: [`is one too many (maximum is ${SEASONS_MAX})`] },
    { detail: "Delete one that nobody looks at any more." },
  );
}
