import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { refuseUnfitName } from "#src/base/find-bad-word.ts";
import { madeRow, type MaybeKeyed, once } from "#src/base/once.ts";
import { notFound } from "#src/base/refusal.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { refuseUnfitTeams } from "#src/play/teams/refuse-unfit-teams.ts";
import { attachLogo, checkBrand, discardLogo, mergeBrand, withBrand } from "#src/show/brands/change-brand.ts";
import { sessionSettings, storedSettings } from "#src/show/sessions/schemas.ts";
import type { CreateBlueprintBody, UpdateBlueprintBody } from "./schemas.ts";
import { type BlueprintRow, lockBlueprint } from "./with-blueprint.ts";

type UpdateBlueprint = UpdateBlueprintBody & IfVersion & { blueprintId: number; actor: Actor };

/**
 * Changes the given fields and settings of a blueprint. Sessions that were generated from it do not change.
 * @throws Refusal 404 for an unknown blueprint; 409 if its version is no longer `ifVersion`; 422 for a name with an insult,
 *   teams that refuseUnfitTeams refuses, and a brand that checkBrand refuses.
 */
export async function updateBlueprint(
  deps: Pick<Deps, "pool" | "env" | "store">,
  { blueprintId, actor, ifVersion, defaults: { brand, ...defaults } = {}, ...changes }: UpdateBlueprint,
): Promise<void> {
  const change = await checkBrand(deps, { brand, viewer: actor, at: "defaults.brand" });
  await inTransaction(deps.pool.db, async (tx) => {
    const blueprint = await lockBlueprint(tx, blueprintId);
    if (blueprint === null) throw notFound();
    requireVersion({ ifVersion }, blueprint);
    if (changes.name !== blueprint.name) refuseUnfitName({ name: changes.name });
    refuseUnfitTeams(defaults.teams, "defaults.teams");
    const { brand: brandBefore, ...before } = v.parse(storedSettings, blueprint.defaults);
    const settings = withBrand({ ...before, ...defaults }, mergeBrand(brandBefore, change));
    await attachLogo(tx, change);
    const [updated] = await tx
      .update(blueprints)
      .set({
        name: changes.name,
        description: changes.description,
        defaults: v.parse(storedSettings, settings),
        updatedAt: sql`game_now()`,
      })
      .where(eq(blueprints.id, blueprintId))
      .returning();
    if (updated === undefined)
      throw new Error(`blueprint ${blueprintId} is missing although its row is locked`);
    if (brandBefore?.logo !== settings.brand?.logo) await discardLogo(tx, brandBefore?.logo);
    await writeAudit(tx, {
      actor,
      action: "update_blueprint",
      subject: { type: "blueprint", id: blueprintId },
      sessionId: null,
      before: termsOf(blueprint),
      after: termsOf(updated),
    });
  });
}

const termsOf = ({ name, description, defaults }: BlueprintRow) => ({ name, description, defaults });

/**
 * Creates a blueprint without events.
 * @returns the blueprint's id.
 * @throws Refusal 422 for a name with an insult, teams that refuseUnfitTeams refuses, and a brand that checkBrand refuses.
 */
export async function createBlueprint(
  deps: Pick<Deps, "pool" | "env" | "store">,
  {
    actor,
    name,
    description = "",
    defaults: { brand, ...defaults } = {},
  }: CreateBlueprintBody & { actor: Actor },
  keyed: MaybeKeyed,
): Promise<number> {
  refuseUnfitName({ name });
  refuseUnfitTeams(defaults.teams, "defaults.teams");
  const change = await checkBrand(deps, { brand, viewer: actor, at: "defaults.brand" });
  const { id } = await inTransaction(deps.pool.db, (tx) =>
    once(tx, keyed, madeRow, async () => {
      const settings = withBrand(defaults, mergeBrand(undefined, change));
      const terms = { name, description, defaults: v.parse(sessionSettings, settings) };
      const [blueprint] = await tx.insert(blueprints).values(terms).returning({ id: blueprints.id });
      if (blueprint === undefined) throw new Error("the insert of a blueprint returned no row");
      await writeAudit(tx, {
        actor,
        action: "create_blueprint",
        subject: { type: "blueprint", id: blueprint.id },
        sessionId: null,
        before: {},
        after: terms,
      });
      return blueprint;
    }),
  );
  return id;
}
