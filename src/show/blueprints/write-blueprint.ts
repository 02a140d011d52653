import { and, asc, eq, ne, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { pick } from "#db/pick.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { refuseUnfitName } from "#src/base/find-bad-word.ts";
import { makeOnce, type MaybeKeyed } from "#src/base/once.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { textLine } from "#src/http/schemas.ts";
import { findSessionId } from "#src/play/find-session-id.ts";
import { refuseUnfitTeams } from "#src/play/teams/refuse-unfit-teams.ts";
import {
  attachLogo,
  checkBrand,
  discardLogo,
  mergeBrand,
  withBrand,
  withoutLogo,
} from "#src/show/brands/change-brand.ts";
import { sessionSettings, storedSettings } from "#src/show/sessions/schemas.ts";
import { blueprintLimits, planFields } from "./contract.ts";
import { importedEvents, readImport } from "./read-import.ts";
import type {
  BlueprintFromSessionBody,
  CreateBlueprintBody,
  ImportBlueprintBody,
  UpdateBlueprintBody,
} from "./schemas.ts";
import {
  auditBlueprint,
  type BlueprintRow,
  checkCapacity,
  listEvents,
  lockBlueprint,
  termsOf,
} from "./with-blueprint.ts";
import { insertEvents } from "./write-blueprint-events.ts";

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
    const terms = { before: ownTermsOf(blueprint), after: ownTermsOf(updated) };
    await auditBlueprint(tx, { actor, id: blueprintId, action: "update_blueprint", ...terms });
  });
}

const ownTermsOf = ({ name, description, defaults }: BlueprintRow) => ({ name, description, defaults });

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
  return makeOnce(deps.pool.db, keyed, async (tx) => {
    const settings = withBrand(defaults, mergeBrand(undefined, change));
    const terms = { name, description, defaults: v.parse(sessionSettings, settings) };
    const made = await insertBlueprint(tx, terms);
    await auditBlueprint(tx, { actor, id: made.id, action: "create_blueprint", after: terms });
    return made;
  });
}

const COPY = " (copy)";

type NewBlueprint = Omit<typeof blueprints.$inferInsert, "id">;
type NewEvent = Pick<typeof blueprintEvents.$inferSelect, (typeof planFields)[number]>;

/**
 * Copies a blueprint with its events.
 * @returns the id of the copy.
 */
export function duplicateBlueprint(
  { pool }: Pick<Deps, "pool">,
  { actor, blueprintId }: { actor: Actor; blueprintId: number },
  keyed: MaybeKeyed,
): Promise<number> {
  return makeOnce(pool.db, keyed, async (tx) => {
    const ofId = eq(blueprints.id, blueprintId);
    // Shared, as in generate-session.ts: the events do not change while they are copied.
    const [original] = await tx.select().from(blueprints).where(ofId).for("share");
    if (original === undefined) throw notFound();
    const rows = await listEvents(tx, blueprintId);
    const name = `${Array.from(original.name)
      .slice(0, blueprintLimits.nameLengthMax - COPY.length)
      .join("")}${COPY}`;
    const { description, defaults } = original;
    const made = await insertBlueprint(tx, { name, description, defaults });
    await insertRows(tx, made.id, rows);
    const after = { name, blueprintId };
    await auditBlueprint(tx, { actor, id: made.id, action: "duplicate_blueprint", after });
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
  return makeOnce(pool.db, keyed, async (tx) => {
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
    await insertRows(tx, made.id, asked);
    const after = { name: terms.name, sessionId };
    await auditBlueprint(tx, { actor, id: made.id, action: "create_blueprint_from_session", after });
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
  return makeOnce(pool.db, keyed, async (tx) => {
    const made = await insertBlueprint(tx, terms);
    const added = await insertEvents(tx, { blueprintId: made.id, existing: 0, pictures, events });
    const after = { ...terms, blueprintEvents: added.map(termsOf) };
    await auditBlueprint(tx, { actor, id: made.id, action: "import_blueprint", after });
    return made;
  });
}

async function insertBlueprint(tx: Transaction, terms: NewBlueprint): Promise<{ id: number }> {
  const [made] = await tx.insert(blueprints).values(terms).returning({ id: blueprints.id });
  if (made === undefined) throw new Error("the insert of a blueprint returned no row");
  return made;
}

async function insertRows(tx: Transaction, blueprintId: number, plans: readonly NewEvent[]): Promise<void> {
  if (plans.length === 0) return;
  await tx
    .insert(blueprintEvents)
    .values(plans.map((plan, index) => ({ ...pick(plan, ...planFields), blueprintId, position: index + 1 })));
}
