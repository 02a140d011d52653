import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { type Based, requireVersion } from "#src/http/if-match.ts";
import { sessionSettings } from "#src/sessions/schemas.ts";
import type { UpdateBlueprintBody } from "./schemas.ts";
import { type BlueprintRow, lockBlueprint } from "./with-blueprint.ts";

type UpdateBlueprint = UpdateBlueprintBody & Based & { blueprintId: number; actor: Actor };

/**
 * Changes what is given of a blueprint; settings that are left out stay. Sessions that were generated from it keep theirs.
 * @throws Refusal 404 where there is none; 409 where it is another version by now.
 */
export async function updateBlueprint(
  { pool }: Pick<Deps, "pool">,
  { blueprintId, actor, ifVersion, ...changes }: UpdateBlueprint,
): Promise<void> {
  await inTransaction(pool.db, async (tx) => {
    const blueprint = await lockBlueprint(tx, blueprintId);
    if (blueprint === null) throw notFound();
    requireVersion({ ifVersion }, blueprint);
    const [updated] = await tx
      .update(blueprints)
      .set({
        name: changes.name,
        description: changes.description,
        defaults: v.parse(sessionSettings, { ...settingsOf(blueprint), ...changes.defaults }),
        updatedAt: sql`game_now()`,
      })
      .where(eq(blueprints.id, blueprintId))
      .returning();
    if (updated === undefined) throw new Error(`blueprint ${blueprintId} is gone although its row is locked`);
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

const settingsOf = ({ defaults }: BlueprintRow) => v.parse(sessionSettings, defaults);
const termsOf = ({ name, description, defaults }: BlueprintRow) => ({ name, description, defaults });
