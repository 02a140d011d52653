import { and, asc, eq, ne } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { sessions } from "#db/schema/sessions.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { hasDependents, notFound } from "#src/base/refusal.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { termsOf } from "./audit-blueprint-event.ts";

/**
 * Deletes a blueprint with its events. Stopped sessions that were generated from it stay, without a reference to it, since
 * they hold copies; otherwise a blueprint that was ever played could never be deleted. restoreRemoval brings it back.
 * @throws Refusal 404 for an unknown blueprint; 422 while one of its sessions is pending or live; 409 if its version is no
 *   longer `ifVersion`.
 */
export async function destroyBlueprint(
  { pool }: Pick<Deps, "pool">,
  { blueprintId, actor, ifVersion }: IfVersion & { blueprintId: number; actor: Actor },
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
    const events = await tx
      .select()
      .from(blueprintEvents)
      .where(eq(blueprintEvents.blueprintId, blueprintId))
      .orderBy(asc(blueprintEvents.position));
    await tx.delete(blueprints).where(ofId);
    await writeAudit(tx, {
      actor,
      action: "destroy_blueprint",
      subject: { type: "blueprint", id: blueprintId },
      sessionId: null,
      before: {
        name: blueprint.name,
        description: blueprint.description,
        defaults: blueprint.defaults,
        blueprintEvents: events.map(termsOf),
      },
      after: {},
    });
  });
}
