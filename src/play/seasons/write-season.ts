import { eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { seasons } from "#db/schema/seasons.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { type SeasonRow, selectSeasons } from "#src/play/find-season.ts";
import type { SeasonView } from "./schemas.ts";

type SeasonDeps = Pick<Deps, "pool">;
/** What an admin does with seasons: `known` are all of them. */
type Deed<Done> = (tx: Transaction, known: SeasonRow[]) => Promise<Done>;

/** Lets one admin at a time write seasons, so that what is checked of all of them stays true until the commit. */
export function writeSeasons<Done>({ pool }: SeasonDeps, deed: Deed<Done>): Promise<Done> {
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
export function requireFree(
  known: readonly SeasonRow[],
  id: number | null,
  { startsAt, endsAt }: Span,
): void {
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

/** Changes a season, with an audit line. */
export async function updateSeason(
  tx: Transaction,
  { season, actor, action, values }: SeasonChange,
): Promise<SeasonView> {
  await tx.update(seasons).set(values).where(eq(seasons.id, season.id));
  const [changed] = await selectSeasons(tx, eq(seasons.id, season.id));
  if (changed === undefined) throw new Error("a season is gone within its own transaction");
  await auditSeason(tx, { actor, action, id: season.id, before: season, after: changed });
  return presentSeason(changed);
}

type SeasonChange = {
  season: SeasonRow;
  actor: Actor;
  action: string;
  values: Partial<Pick<SeasonRow, "name" | "startsAt" | "endsAt">>;
};

type Audited = Pick<SeasonRow, "name" | "startsAt" | "endsAt">;
type SeasonDeed = {
  actor: Actor;
  action: string;
  id: number;
  before: Audited | null;
  after: Audited | null;
};

/** Writes the audit line of a deed. Null: the season is not there before it, or after it. */
export async function auditSeason(
  tx: Transaction,
  { actor, action, id, before, after }: SeasonDeed,
): Promise<void> {
  await writeAudit(tx, {
    actor,
    action,
    subject: { type: "season", id },
    sessionId: null,
    before: valuesOf(before),
    after: valuesOf(after),
  });
}

function valuesOf(row: Audited | null): Record<string, unknown> {
  if (row === null) return {};
  return { name: row.name, startsAt: row.startsAt.toISOString(), endsAt: row.endsAt.toISOString() };
}

/** The season with this id. */
export function seasonIn(known: readonly SeasonRow[], id: number): SeasonRow {
  const season = known.find((each) => each.id === id);
  if (season === undefined) throw notFound();
  return season;
}

/** A season as everybody reads it. */
export function presentSeason({ id, slug, name, startsAt, endsAt, state }: SeasonRow): SeasonView {
  return { id, slug, name, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), state };
}
