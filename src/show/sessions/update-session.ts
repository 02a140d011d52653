import { and, eq, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { queryColumn, wholeNumber } from "#db/ledger/query.ts";
import { events } from "#db/schema/events.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { refuseUnfitName } from "#src/base/find-bad-word.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { invalid } from "#src/base/refusal.ts";
import { shutStreams } from "#src/base/streams/broadcast.ts";
import { isAdmin, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { teamMembers } from "#src/play/teams/find-teams.ts";
import { refuseUnfitTeams } from "#src/play/teams/refuse-unfit-teams.ts";
import { attachLogo, checkBrand, discardLogo, mergeBrand, withBrand } from "#src/show/brands/change-brand.ts";
import { ofSession, writeEvents } from "#src/show/events/events-of-session.ts";
import { writeUpdateFacts } from "#src/show/events/move-event.ts";
import { isUncalled, scheduleOf } from "#src/show/events/schedule.ts";
import { sessionStateLabel } from "./contract.ts";
import { type SessionSettings, storedSettings, type UpdateSessionBody } from "./schemas.ts";
import {
  auditSession,
  type LockedSession,
  type SessionCommand,
  type SessionRow,
  termsOf,
  withSession,
  writeSession,
} from "./with-session.ts";

/**
 * Changes the given fields and settings of a session; the slug never changes. In a pending session a new lead applies to all
 * drafts; in a live one, whose schedule is fixed, to events added from now on. Another `voidUncalled` also applies to events
 * that have closed already.
 * @throws Refusal 404 for an unknown session; 422 for a stopped one, for another `smallRoom` once it has started, for a name with
 *   an insult, for a host of this session alone who changes `smallRoom`, and for teams as refuseUnfitTeams and changeTeams say.
 */
export async function updateSession(
  deps: Deps,
  { changes: { settings: { brand, ...newSettings } = {}, ...changes }, ...command }: UpdateSession,
): Promise<SessionRow> {
  const { actor: viewer } = command;
  const brandChange = await checkBrand(deps, { brand, viewer, at: "settings.brand" });
  const updated = await withSession(deps, command, async (tx, locked) => {
    const { session } = locked;
    if (session.state === "stopped") throw isOver();
    if (changes.name !== session.name) refuseUnfitName({ name: changes.name });
    const { brand: brandBefore, ...before } = v.parse(storedSettings, session.settings);
    const changed = withBrand({ ...before, ...newSettings }, mergeBrand(brandBefore, brandChange));
    const settings = v.parse(storedSettings, changed);
    refuseUnfitTeams(newSettings.teams, "settings.teams");
    await attachLogo(tx, brandChange);
    if (settings.smallRoom !== before.smallRoom) refuseSmallRoom(session, viewer);
    if (settings.leadSeconds !== before.leadSeconds) await updateDraftLeads(tx, locked, settings);
    const { name, description, startsAt } = changes;
    const updated = await writeSession(tx, locked, { name, description, startsAt, settings });
    if (brandBefore?.logo !== settings.brand?.logo) await discardLogo(tx, brandBefore?.logo);
    if (!Bun.deepEquals(settings.teams, before.teams))
      await changeTeams(tx, { sessionId: session.id, before: before.teams, after: settings.teams });
    const { voidUncalled } = settings;
    if (voidUncalled !== before.voidUncalled) await applyVoidUncalled(tx, locked, voidUncalled);
    const entry = { action: "update_session", before: termsOf(session), after: termsOf(updated) };
    await auditSession(tx, locked, entry);
    return updated;
  });
  if (newSettings.private === true) await shutStreams(deps, updated.id);
  return updated;
}
type UpdateSession = SessionCommand & { changes: UpdateSessionBody; actor: SettingActor };
/** Roles are left out where no request has asked for the change. */
type SettingActor = (NonNullable<Actor> & Partial<Pick<Viewer, "roles">>) | null;

const isOver = () =>
  invalid(
    { state: [`cannot transition when ${sessionStateLabel("stopped")}`] },
    { detail: "This session is over. It stays as it was played." },
  );

/** Nobody gives themselves the right to decide own calls: a host of one session cannot, and an admin only before the start. */
function refuseSmallRoom({ state }: SessionRow, actor: SettingActor): void {
  const decides = actor?.roles === undefined || isAdmin({ roles: actor.roles });
  const detail = decides
    ? "The session has started: whether its hosts may call on what they decide stays as it was."
    : "Only an admin decides whether the hosts of a session may call on what they decide.";
  if (state !== "pending" || !decides) throw invalid({ "settings.smallRoom": ["is invalid"] }, { detail });
}

async function updateDraftLeads(
  tx: Transaction,
  { session, at }: LockedSession,
  { leadSeconds }: SessionSettings,
): Promise<void> {
  if (session.state !== "pending") return;
  await tx
    .update(events)
    .set({ leadSeconds, updatedAt: sql`${at}::timestamptz` })
    .where(ofSession(session, "draft"));
}

/** Applies another value of the setting to the events of a session that have closed already. */
async function applyVoidUncalled(
  tx: Transaction,
  { session, at, rescheduled }: LockedSession,
  voidUncalled: boolean,
): Promise<void> {
  const timed = voidUncalled ? isNull(events.nextTransition) : eq(events.nextTransition, "resolve");
  const undecided = and(isNull(events.pendingResult), isNull(events.autoResult));
  const where = and(ofSession(session, "closed"), undecided, timed, voidUncalled ? isUncalled : undefined);
  const dueAt = voidUncalled ? sql`greatest(${events.resolveBy}, ${at}::timestamptz)` : null;
  const nextTransition = voidUncalled ? "resolve" : null;
  const changed = await writeEvents(tx, { at, where }, { nextTransition, ...scheduleOf({ session }, dueAt) });
  await writeUpdateFacts(tx, changed);
  rescheduled.push(...changed);
}

// Decision: a team is known by its place in the list. So a name can change at any time and no player's row changes with it. In return the
// teams that have players stay in their places.

type Change = { sessionId: number; before: readonly string[]; after: readonly string[] };

/**
 * Checks a new list of a session's teams, and puts players who have joined and are in none of them into one. Call it in the transaction
 * that has written the list, with the session's row locked.
 * @throws Refusal 422 if a team that has players would be removed or moved. Removing all teams is allowed: their players come back with them.
 */
async function changeTeams(tx: Transaction, { sessionId, before, after }: Change): Promise<void> {
  if (after.length > 0 && before.length > 0) {
    const taken = await findTaken(tx, sessionId);
    if (taken.some((number) => hasLeft(number - 1, before, after))) throw mustStay();
  }
  await tx.execute(sql`SELECT give_teams(${sessionId}, ARRAY(
    SELECT g.id FROM registrations g
    WHERE g.session_id = ${sessionId} AND NOT coalesce(g.team <= ${after.length}, FALSE) ORDER BY g.id))`);
  await writeFact(tx, { kind: "leaders_changed", sessionId });
}

function findTaken(tx: Transaction, sessionId: number): Promise<number[]> {
  return queryColumn(tx, wholeNumber)`
    SELECT DISTINCT g.team FROM ${teamMembers} g WHERE g.session_id = ${sessionId} AND g.team IS NOT NULL`;
}

/** The team at this index is not there any more, or its name stands at another place now. */
function hasLeft(index: number, before: readonly string[], after: readonly string[]): boolean {
  const name = before[index];
  if (name === undefined || after[index] === name) return false;
  return after[index] === undefined || after.includes(name);
}

function mustStay() {
  return invalid(
    { "settings.teams": ["must keep the teams that have players, in their order"] },
    { detail: "Players are in these teams. Change names and add teams at the end, but keep the order." },
  );
}
