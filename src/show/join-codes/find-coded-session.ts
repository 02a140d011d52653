import { eq } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { isLimited, limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { findSessionId } from "#src/play/find-session-id.ts";
import { isPrivate } from "#src/play/shut-out.ts";
import { offerTeams } from "#src/play/teams/find-teams.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import { isKnownHere, noteKnownHere } from "./known-here.ts";
import { readJoinCode } from "./read-join-code.ts";
import type { CodedSession } from "./schemas.ts";

// Decision: only wrong codes count against an address. Where one has sent too many, the codes of sessions that somebody there has
// entered before still work. So nobody finds codes by trying, and nobody locks the others of a pub out of its own show.

type FindDeps = Pick<Deps, "env" | "pool" | "redis" | "log">;
type Caller = Pick<Authentication, "address" | "viewer">;

/**
 * The session of a code that somebody has typed.
 * @throws Refusal 404 for a text that is no code and for an unknown code; 429 after too many of those.
 */
export async function findCodedSession(
  deps: FindDeps,
  typed: string,
  { address, viewer }: Caller,
): Promise<CodedSession> {
  const code = readJoinCode(typed);
  const session = await findByCode(deps.pool.db, code);
  // Of the address alone: an account has its own address too.
  const caller = { address, viewer: null };
  const refused = await isLimited(deps, rates.wrongJoinCode, caller);
  if (refused !== null && (session === null || !(await isKnownHere(deps, address, session.id))))
    throw refused;
  if (session === null) {
    await limitRate(deps, rates.wrongJoinCode, caller);
    throw new Refusal(404, "unknown_code", `No show has the code ${code}. Look at the screen again.`);
  }
  await noteKnownHere(deps, address, session.id);
  const isIn = viewer !== null && (await findSessionId(deps.pool.db, String(session.id), viewer)) !== null;
  const { settings, startsAt, ...shown } = session;
  const { brand } = v.parse(sessionSettings, settings);
  return {
    ...shown,
    startsAt: startsAt?.toISOString() ?? null,
    private: isPrivate(settings),
    entered: isIn,
    ...(await offerTeams(deps, session.id)),
    ...(brand !== undefined && { brand }),
  };
}

async function findByCode(db: Queryable, code: string) {
  const [row] = await db
    .select({
      id: sessions.id,
      slug: sessions.slug,
      name: sessions.name,
      description: sessions.description,
      state: sessions.state,
      startsAt: sessions.startsAt,
      settings: sessions.settings,
    })
    .from(sessions)
    .where(eq(sessions.joinCode, code));
  return row ?? null;
}
