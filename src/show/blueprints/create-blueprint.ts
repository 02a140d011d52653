import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { madeRow, type MaybeKeyed, once } from "#src/base/once.ts";
import { refuseUnfitName } from "#src/base/refuse-unfit-name.ts";
import { refuseUnfitTeams } from "#src/play/teams/refuse-unfit-teams.ts";
import { checkBrand, mergeBrand, withBrand } from "#src/show/brands/change-brand.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import type { CreateBlueprintBody } from "./schemas.ts";

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
