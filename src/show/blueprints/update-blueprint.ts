import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { refuseUnfitName } from "#src/base/refuse-unfit-name.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { storedSettings } from "#src/show/sessions/schemas.ts";
import type { UpdateBlueprintBody } from "./schemas.ts";
import { type BlueprintRow, lockBlueprint } from "./with-blueprint.ts";

type UpdateBlueprint = UpdateBlueprintBody & IfVersion & { blueprintId: number; actor: Actor };

/**
 * Changes the given fields and settings of a blueprint. Sessions that were generated from it do not change.
 * @throws Refusal 404 for an unknown blueprint; 409 if its version is no longer `ifVersion`; 422 for a name with an insult.
 */
export async function updateBlueprint(
  { pool }: Pick<Deps, "pool">,
  { blueprintId, actor, ifVersion, ...changes }: UpdateBlueprint,
): Promise<void> {
  await inTransaction(pool.db, async (tx) => {
    const blueprint = await lockBlueprint(tx, blueprintId);
    if (blueprint === null) throw notFound();
    requireVersion({ ifVersion }, blueprint);
    if (changes.name !== blueprint.name) refuseUnfitName({ name: changes.name });
    const [updated] = await tx
      .update(blueprints)
      .set({
        name: changes.name,
        description: changes.description,
        defaults: v.parse(storedSettings, { ...settingsOf(blueprint), ...changes.defaults }),
        updatedAt: sql`game_now()`,
      })
      .where(eq(blueprints.id, blueprintId))
      .returning();
    if (updated === undefined)
      throw new Error(`blueprint ${blueprintId} is missing although its row is locked`);
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

const settingsOf = ({ defaults }: BlueprintRow) => v.parse(storedSettings, defaults);
const termsOf = ({ name, description, defaults }: BlueprintRow) => ({ name, description, defaults });
