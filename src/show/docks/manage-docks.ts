import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { type MaybeKeyed, once } from "#src/base/once.ts";
import { cannotTransitionVia, invalid, notFound } from "#src/base/refusal.ts";
import { present } from "#src/http/present.ts";
import { VALID_DAYS_MAX } from "#src/people/access-tokens/contract.ts";
import { insertToken, madeToken } from "#src/people/access-tokens/make-access-token.ts";
import { readByPasskey, type SignedIn } from "#src/people/passkeys/signed-in.ts";
import { accessTokenSecret, revokeAccessTokens } from "#src/people/sign-ins/access-tokens.ts";
import { disconnectToken } from "#src/people/sign-ins/end-sign-ins.ts";
import { presentViewer, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { findEventViews, viewingAs } from "#src/show/events/find-event-views.ts";
import { showSession } from "#src/show/sessions/find-session-views.ts";
import { auditSession, type SessionCommand, withSession } from "#src/show/sessions/with-session.ts";
import { DOCKS_MAX } from "./contract.ts";
import { dockSchema, type DocksAnswer, type DockShowAnswer, type NewDockAnswer } from "./schemas.ts";

// Decision: the link of a dock is an access token of its own scope: stored as a hash, counted, audited and judged as the others are, as
// strong as the sign-in that made it. It acts in the name of who made it, so what they may not decide it may not either. The secret
// stands behind the # of the address, which no browser sends: no log and no other site gets it.

/**
 * Makes a dock for who runs a session, as strong as the sign-in that asks. The secret is returned and stored nowhere.
 * @throws Refusal 404 for an unknown session; 422 for one that is over, and for one dock too many.
 */
export async function makeDock(
  deps: Deps,
  { sessionId, viewer, signInId }: SignedIn & Pick<SessionCommand, "sessionId">,
  keyed: MaybeKeyed = null,
): Promise<NewDockAnswer> {
  const { byPasskey } = await readByPasskey(deps, signInId);
  let made = { id: 0, salt: "" };
  const { id, slug } = await withSession(deps, { sessionId, actor: viewer }, async (tx, { session }) => {
    made = await once(tx, keyed, madeToken, async () => {
      if (session.state === "stopped") throw cannotTransitionVia("New dock");
      if ((await findDocks(tx, session.id)).length >= DOCKS_MAX) throw tooMany();
      const terms = { name: "Dock", scope: "dock", validDays: VALID_DAYS_MAX } as const;
      return insertToken(deps.env, tx, { ...terms, viewer, byPasskey, sessionId: session.id });
    });
    return session;
  });
  const dock = (await findDocks(deps.pool.db, id)).find((each) => each.id === made.id);
  if (dock === undefined) throw notFound();
  return {
    dock,
    url: `${deps.env.publicUrl}/sessions/${slug}/dock#${accessTokenSecret(deps.env, made.salt)}`,
  };
}

function tooMany() {
  return invalid(
    { dock: [`is one too many (maximum is ${DOCKS_MAX})`] },
    { detail: "Revoke one that is not used any more." },
  );
}

/** Revokes a dock of a session, also one that somebody else has made. Refuses an unknown and a revoked one: 404. */
export async function revokeDock(
  deps: Deps,
  { dockId, ...command }: SessionCommand & { dockId: number },
): Promise<void> {
  await withSession(deps, command, async (tx, locked) => {
    const revoked = await revokeAccessTokens(tx, { sessionId: locked.session.id, only: dockId });
    if (revoked.length === 0) throw notFound();
    await auditSession(tx, locked, {
      action: "revoke_access_token",
      subject: { type: "access_token", id: dockId },
      before: { revoked: false },
      after: { revoked: true },
    });
    return locked.session;
  });
  await disconnectToken(deps, dockId);
}

export async function listDocks(db: Queryable, slugOrId: string): Promise<DocksAnswer> {
  return { docks: await findDocks(db, await requireSessionId(db, slugOrId, "host")) };
}

async function findDocks(db: Queryable, sessionId: number) {
  const { id, createdAt, lastUsedAt, expiresAt } = accessTokens;
  const rows = await db
    .select({ id, createdAt, lastUsedAt, madeBy: users.username })
    .from(accessTokens)
    .innerJoin(users, eq(users.id, accessTokens.userId))
    .where(
      and(
        eq(accessTokens.sessionId, sessionId),
        isNull(accessTokens.revokedAt),
        gt(expiresAt, sql`clock_timestamp()`),
      ),
    )
    .orderBy(desc(id));
  return rows.map((row) => present(dockSchema, row));
}

/** What a dock shows: the session and its events, with the plan, in one answer. */
export async function showDock(
  deps: Deps,
  { slugOrId, viewer }: { slugOrId: string; viewer: Viewer },
  now: Date,
): Promise<DockShowAnswer> {
  const sessionId = await requireSessionId(deps.pool.db, slugOrId, "host");
  const [{ session }, events] = await Promise.all([
    showSession(deps, sessionId, viewer),
    findEventViews(deps.pool.db, { sessionId, ...viewingAs(viewer, { runs: true, now }) }),
  ]);
  const maker = { ...presentViewer(viewer), email: null, roles: [], hostOf: [sessionId] };
  return { maker, session, events, serverTime: now.toISOString() };
}
