import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { queryValue } from "#db/ledger/query.ts";
import { CURRENT_SEASON, SEASONS_MAX } from "#db/lists/seasons.ts";
import { pick } from "#db/pick.ts";
import { seasons } from "#db/schema/seasons.ts";
import { type Actor, type AuditEntry, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { madeRow, type MaybeKeyed, once } from "#src/base/once.ts";
import { invalid, notFound, Refusal } from "#src/base/refusal.ts";
import { present } from "#src/http/present.ts";
import { type SeasonRow, selectSeasons } from "#src/play/find-season.ts";
import { slugFrom } from "#src/play/slug-from.ts";
import { type ChangeSeasonBody, type NewSeasonBody, seasonSchema, type SeasonView } from "./schemas.ts";

/** What an admin does with seasons: `known` are all of them. */
type Deed<Done> = (tx: Transaction, known: SeasonRow[]) => Promise<Done>;

/** Lets one admin at a time write seasons, so that what is checked of all of them stays true until the commit. */
function writeSeasons<Done>({ pool }: Pick<Deps, "pool">, deed: Deed<Done>): Promise<Done> {
  return inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`LOCK TABLE ${seasons} IN SHARE ROW EXCLUSIVE MODE`);
    return deed(tx, await selectSeasons(tx));
  });
}

type Span = Pick<SeasonRow, "startsAt" | "endsAt">;

/**
 * @param id of the season that gets this span; null for a new one.
 * @throws Refusal 422 for a span that ends before it starts, and for one that overlaps another season's.
 */
function requireFree(known: readonly SeasonRow[], id: number | null, { startsAt, endsAt }: Span): void {
  if (endsAt <= startsAt) {
    const detail = "A season ends after it starts. Choose a later end.";
    throw invalid({ endsAt: ["must be after the start"] }, { detail });
  }
  const other = known.find((each) => each.id !== id && each.startsAt < endsAt && startsAt < each.endsAt);
  if (other === undefined) return;
  const [from, to] = [other.startsAt, other.endsAt].map((at) => readable(at));
  throw invalid(
    { [startsAt < other.startsAt ? "endsAt" : "startsAt"]: [`is within "${other.name}"`] },
    {
      code: "overlap",
      detail: `"${other.name}" is from ${from} until ${to}. Choose dates before or after it, or change it first.`,
    },
  );
}

/** "2026-11-25 00:00 UTC" */
function readable(at: Date): string {
  return `${at.toISOString().slice(0, "2026-11-25T00:00".length).replace("T", " ")} UTC`;
}

async function updateSeason(
  tx: Transaction,
  { season, actor, action, values }: SeasonChange,
): Promise<SeasonView> {
  await tx.update(seasons).set(values).where(eq(seasons.id, season.id));
  const [changed] = await selectSeasons(tx, eq(seasons.id, season.id));
  if (changed === undefined) throw new Error("a season is gone within its own transaction");
  const [before, after] = [auditedOf(season), auditedOf(changed)];
  await auditSeason(tx, { actor, action, id: season.id, before, after });
  return presentSeason(changed);
}

type SeasonChange = {
  season: SeasonRow;
  actor: Actor;
  action: string;
  values: Partial<Pick<SeasonRow, "name" | "startsAt" | "endsAt">>;
};

type SeasonDeed = Omit<AuditEntry, "subject"> & { id: number };

function auditSeason(tx: Transaction, { id, ...deed }: SeasonDeed): Promise<void> {
  return writeAudit(tx, { ...deed, subject: { type: "season", id } });
}

const auditedOf = (row: typeof seasons.$inferSelect) => pick(row, "name", "startsAt", "endsAt");

function seasonIn(known: readonly SeasonRow[], id: number): SeasonRow {
  const season = known.find((each) => each.id === id);
  if (season === undefined) throw notFound();
  return season;
}

export const presentSeason = (row: SeasonRow): SeasonView => present(seasonSchema, row);

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
      await auditSeason(tx, { actor, action: "create_season", id: made.id, after: auditedOf(made) });
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

type Order = { id: number; actor: Actor };

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

export async function endSeason(deps: Pick<Deps, "pool">, { id, actor }: Order): Promise<SeasonView> {
  return writeSeasons(deps, async (tx, known) => {
    const season = seasonIn(known, id);
    if (season.state !== "running") throw notRunning(season);
    // Moments of the program have milliseconds: the next season can begin where this one ends.
    const endsAt = await queryValue(tx, v.date())`SELECT date_trunc('milliseconds', game_now())`;
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
    await auditSeason(tx, { actor, action: "delete_season", id, before: auditedOf(season) });
  });
}
