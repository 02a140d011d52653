import { eq } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { pick } from "#db/pick.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { events, spots } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { refuseUnfitName } from "#src/base/find-bad-word.ts";
import { madeRow, type MaybeKeyed, once, stillThere } from "#src/base/once.ts";
import { notFound } from "#src/base/refusal.ts";
import { insertSession } from "#src/show/sessions/create-session.ts";
import { type SessionSettings, storedSettings } from "#src/show/sessions/schemas.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { planFields } from "./contract.ts";
import { listEvents } from "./with-blueprint.ts";

export type GenerateSession = {
  blueprintId: number;
  /** The blueprint's name if left out. */
  name?: string | undefined;
  startsAt?: Date | null | undefined;
  /** Made from the name if left out. */
  slug?: string;
  /** The demo's robots run the session, and another one follows it. */
  rehearsal?: boolean;
  actor?: Actor;
};

/**
 * Creates a pending session from a blueprint. The blueprint's events are copied as drafts, each with its two spots; a copy
 * refers to its original only by id.
 * @throws Refusal 404 for an unknown blueprint; 422 for a slug that is taken, and a name with an insult.
 */
export function generateSession(
  deps: Deps,
  options: GenerateSession,
  keyed: MaybeKeyed = null,
): Promise<SessionRow> {
  refuseUnfitName({ name: options.name });
  return inTransaction(deps.pool.db, async (tx) => {
    const { id } = await once(tx, keyed, madeRow, () => generate(tx, options));
    return stillThere(await tx.select().from(sessions).where(eq(sessions.id, id)));
  });
}

async function generate(tx: Transaction, options: GenerateSession): Promise<{ id: number }> {
  const [blueprint] = await tx
    .select()
    .from(blueprints)
    .where(eq(blueprints.id, options.blueprintId))
    // Locks the blueprint's events against changes while they are copied.
    .for("share");
  if (blueprint === undefined) throw notFound();
  const settings = v.parse(storedSettings, blueprint.defaults);
  const session = await insertSession(tx, {
    slug: options.slug,
    name: options.name ?? blueprint.name,
    description: blueprint.description,
    blueprintId: blueprint.id,
    settings,
    rehearsal: options.rehearsal ?? false,
    startsAt: options.startsAt ?? null,
  });
  await copyEvents(tx, { session, settings, actor: options.actor ?? null });
  await writeAudit(tx, {
    actor: options.actor ?? null,
    action: "generate_session",
    subject: { type: "session", id: session.id },
    sessionId: session.id,
    after: { blueprintId: blueprint.id, slug: session.slug },
  });
  return { id: session.id };
}

async function copyEvents(
  tx: Transaction,
  { session, settings, actor }: { session: SessionRow; settings: SessionSettings; actor: Actor },
): Promise<void> {
  const originals = session.blueprintId === null ? [] : await listEvents(tx, session.blueprintId);
  if (originals.length === 0) return;
  const drafts = originals.map((original) => ({
    sessionId: session.id,
    blueprintEventId: original.id,
    leadSeconds: settings.leadSeconds,
    createdById: actor?.id ?? null,
    ...pick(original, "position", ...planFields),
  }));
  const made = await tx.insert(events).values(drafts).returning({ eventId: events.id });
  await tx.insert(spots).values(
    made.flatMap(({ eventId }) => [
      { eventId, side: "true" as const },
      { eventId, side: "false" as const },
    ]),
  );
}
