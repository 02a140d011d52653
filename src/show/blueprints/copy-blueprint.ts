import { and, asc, eq, ne } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { refuseUnfitName } from "#src/base/find-bad-word.ts";
import { madeRow, type MaybeKeyed, once } from "#src/base/once.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { textLine } from "#src/http/schemas.ts";
import { findSessionId } from "#src/play/find-session-id.ts";
import { refuseUnfitTeams } from "#src/play/teams/refuse-unfit-teams.ts";
import { withoutLogo } from "#src/show/brands/change-brand.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import { termsOf } from "./audit-blueprint-event.ts";
import { checkCapacity } from "./check-capacity.ts";
import { blueprintLimits } from "./contract.ts";
import { insertEvents } from "./insert-events.ts";
import { importedEvents, readImport } from "./read-import.ts";
import type { BlueprintFromSessionBody, ImportBlueprintBody } from "./schemas.ts";

const COPY = " (copy)";

type NewBlueprint = Omit<typeof blueprints.$inferInsert, "id">;
type NewEvent = Omit<typeof blueprintEvents.$inferInsert, "id" | "blueprintId" | "position">;
type Source = { action: string; after: Record<string, unknown> };

/**
 * Copies a blueprint with its events.
 * @returns the id of the copy.
 * @throws Refusal 404 for an unknown blueprint.
 */
export function duplicateBlueprint(
  { pool }: Pick<Deps, "pool">,
  { actor, blueprintId }: { actor: Actor; blueprintId: number },
  keyed: MaybeKeyed,
): Promise<number> {
  return makeOnce(pool, keyed, async (tx) => {
    const ofId = eq(blueprints.id, blueprintId);
    // Shared, as in generate-session.ts: the events do not change while they are copied.
    const [original] = await tx.select().from(blueprints).where(ofId).for("share");
    if (original === undefined) throw notFound();
    const rows = await tx
      .select()
      .from(blueprintEvents)
      .where(eq(blueprintEvents.blueprintId, blueprintId))
      .orderBy(asc(blueprintEvents.position));
    const name = `${Array.from(original.name)
      .slice(0, blueprintLimits.nameLengthMax - COPY.length)
      .join("")}${COPY}`;
    const { description, defaults } = original;
    const made = await insertBlueprint(tx, { name, description, defaults });
    await insertRows(tx, made, rows.map(planOf));
    await note(tx, { actor, id: made }, { action: "duplicate_blueprint", after: { name, blueprintId } });
    return made;
  });
}

/**
 * Makes a blueprint from what a session has asked, in the order of its events; destroyed ones are left out.
 * @returns the id of the blueprint.
 * @throws Refusal 422 for an unknown session, and for one with more events than a blueprint can have.
 */
export async function createFromSession(
  { pool }: Pick<Deps, "pool">,
  { actor, session: slugOrId, name }: BlueprintFromSessionBody & { actor: Actor },
  keyed: MaybeKeyed,
): Promise<number> {
  refuseUnfitName({ name });
  const sessionId = await findSessionId(pool.db, slugOrId, "host");
  if (sessionId === null) throw invalid({ session: ["must exist"] });
  return makeOnce(pool, keyed, async (tx) => {
    const [session] = await tx.select().from(sessions).where(eq(sessions.id, sessionId)).for("key share");
    if (session === undefined) throw invalid({ session: ["must exist"] });
    const asked = await tx
      .select()
      .from(events)
      .where(and(eq(events.sessionId, sessionId), ne(events.state, "soft_destroyed")))
      .orderBy(asc(events.position), asc(events.id));
    checkCapacity({ existing: 0, added: asked.length });
    const { description, settings } = session;
    // A room is locked for an evening, and not for all that follow it.
    const defaults = { ...v.parse(sessionSettings, settings), locked: false };
    const terms = { name: name ?? session.name, description, defaults };
    const made = await insertBlueprint(tx, terms);
    await insertRows(tx, made, asked.map(planOf));
    const after = { name: terms.name, sessionId };
    await note(tx, { actor, id: made }, { action: "create_blueprint_from_session", after });
    return made;
  });
}

/**
 * Makes a blueprint from a text: an exported one with its name and settings, or a list of questions with a name beside it.
 * @returns the id of the blueprint.
 * @throws Refusal 422 that names each line which cannot be added.
 */
export async function importBlueprint(
  { pool }: Pick<Deps, "pool">,
  { actor, text, name }: ImportBlueprintBody & { actor: Actor },
  keyed: MaybeKeyed,
): Promise<number> {
  const { reading, pictures } = await readImport(pool.db, text);
  const { nameLengthMax, descriptionLengthMax } = blueprintLimits;
  const brought = reading.blueprint;
  const chosen = (name ?? brought?.name ?? "").trim();
  if (chosen === "") throw invalid({ name: ["can't be blank"] });
  if (!v.is(textLine(nameLengthMax), chosen))
    throw invalid({ name: [`is too long (maximum is ${nameLengthMax} characters)`] });
  refuseUnfitName({ name: chosen });
  const events = importedEvents(reading, 0);
  const terms = {
    name: chosen,
    description: (brought?.description ?? "").slice(0, descriptionLengthMax),
    // A setting that this release does not know, or that is invalid here, has its default.
    defaults: withoutLogo(v.parse(sessionSettings, brought?.defaults ?? {})),
  };
  refuseUnfitTeams(terms.defaults.teams, "text");
  refuseUnfitName({ sponsor: terms.defaults.brand?.sponsor });
  return makeOnce(pool, keyed, async (tx) => {
    const made = await insertBlueprint(tx, terms);
    const added = await insertEvents(tx, { blueprintId: made, existing: 0, pictures, events });
    const after = { ...terms, blueprintEvents: added.map(termsOf) };
    await note(tx, { actor, id: made }, { action: "import_blueprint", after });
    return made;
  });
}

/** Makes one blueprint for a request. @param make returns its id. */
async function makeOnce(
  { db }: Deps["pool"],
  keyed: MaybeKeyed,
  make: (tx: Transaction) => Promise<number>,
): Promise<number> {
  const made = await inTransaction(db, (tx) =>
    once(tx, keyed, madeRow, async () => ({ id: await make(tx) })),
  );
  return made.id;
}

async function insertBlueprint(tx: Transaction, terms: NewBlueprint): Promise<number> {
  const [made] = await tx.insert(blueprints).values(terms).returning({ id: blueprints.id });
  if (made === undefined) throw new Error("the insert of a blueprint returned no row");
  return made.id;
}

async function insertRows(tx: Transaction, blueprintId: number, plans: readonly NewEvent[]): Promise<void> {
  if (plans.length === 0) return;
  await tx
    .insert(blueprintEvents)
    .values(plans.map((plan, index) => ({ ...plan, blueprintId, position: index + 1 })));
}

function note(tx: Transaction, { actor, id }: { actor: Actor; id: number }, source: Source): Promise<void> {
  return writeAudit(tx, {
    actor,
    subject: { type: "blueprint", id },
    sessionId: null,
    before: {},
    ...source,
  });
}

/** What an event of a session or of a blueprint has in common with every blueprint's event. */
function planOf(event: NewEvent): NewEvent {
  return {
    title: event.title,
    description: event.description,
    trueLabel: event.trueLabel,
    falseLabel: event.falseLabel,
    startMode: event.startMode,
    offsetSeconds: event.offsetSeconds,
    durationSeconds: event.durationSeconds,
    resolveWithinSeconds: event.resolveWithinSeconds,
    minWagerCents: event.minWagerCents,
    maxWagerCents: event.maxWagerCents,
    autoResult: event.autoResult,
    picture: event.picture,
    explanation: event.explanation,
    hostNote: event.hostNote,
  };
}
