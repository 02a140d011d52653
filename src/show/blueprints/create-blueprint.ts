import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { madeRow, type MaybeKeyed, once } from "#src/base/once.ts";
import { refuseUnfitName } from "#src/base/refuse-unfit-name.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import type { CreateBlueprintBody } from "./schemas.ts";

/**
 * Creates a blueprint without events.
 * @returns the blueprint's id.
 * @throws Refusal 422 for a name with an insult.
 */
export async function createBlueprint(
  { pool }: Pick<Deps, "pool">,
  { actor, name, description = "", defaults = {} }: CreateBlueprintBody & { actor: Actor },
  keyed: MaybeKeyed,
): Promise<number> {
  refuseUnfitName({ name });
  const { id } = await inTransaction(pool.db, (tx) =>
    once(tx, keyed, madeRow, async () => {
      const terms = { name, description, defaults: v.parse(sessionSettings, defaults) };
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
