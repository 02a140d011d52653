import { and, eq, ne } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { sessions } from "#db/schema/sessions.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { hasDependents, notFound } from "#src/base/refusal.ts";
import { type Based, requireVersion } from "#src/http/if-match.ts";

/**
 * Deletes a blueprint with its events. Stopped sessions that were generated from it stay, and forget where they come from:
 * everything of theirs is a copy.
 * @throws Refusal 404 where there is none; 422 while a session of it is still to come or live; 409 where it is
 *   another version by now.
 */
export async function destroyBlueprint(
  { pool }: Pick<Deps, "pool">,
  { blueprintId, actor, ifVersion }: Based & { blueprintId: number; actor: Actor },
): Promise<void> {
  await inTransaction(pool.db, async (tx) => {
    const ofId = eq(blueprints.id, blueprintId);
    const [blueprint] = await tx.select().from(blueprints).where(ofId).for("update");
    if (blueprint === undefined) throw notFound();
    requireVersion({ ifVersion }, blueprint);
    const unfinished = and(eq(sessions.blueprintId, blueprintId), ne(sessions.state, "stopped"));
    const [session] = await tx.select({ slug: sessions.slug }).from(sessions).where(unfinished).limit(1);
    if (session !== undefined)
      throw hasDependents("sessions", `The session ${session.slug} is not over yet.`);
    await tx.delete(blueprints).where(ofId);
    await writeAudit(tx, {
      actor,
      action: "destroy_blueprint",
      subject: { type: "blueprint", id: blueprintId },
      sessionId: null,
      before: { name: blueprint.name, description: blueprint.description, defaults: blueprint.defaults },
      after: {},
    });
  });
}
