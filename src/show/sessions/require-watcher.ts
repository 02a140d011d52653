import { createHmac, timingSafeEqual } from "node:crypto";
import type { SessionState } from "#db/lists/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { requireViewer } from "#src/people/sign-ins/authorize.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { isPrivate } from "#src/play/access-denied.ts";
import { findSessionId } from "#src/play/find-session-id.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";
import { findSession } from "./find-session.ts";
import type { SessionRow } from "./with-session.ts";

// Decision: a stage link is signed and not stored, like the ids of files. It opens the big screen of one session before, during and
// after the show, to everybody who has it. Renewing it counts its generation up, which ends every link before.

const live: readonly SessionState[] = ["running", "paused"];
/** How long after the end the big screen still shows the first three to everybody. */
const SHOWN_AFTER_STOP_MS = 24 * 3_600_000;

type Asked = {
  slugOrId: string;
  /** The key of a stage link, or "" for a big screen that was opened without one. Left out by everything else. */
  key?: string | undefined;
};

/**
 * Authorizes a read of a session. Signed-in users can read every session that is not shut for them. Signed-out clients can read
 * live ones that are not private; for a big screen also those that canShow. Who has the stage link reads the session as a signed-out
 * client. For all others it does not exist: signed-out ones get 401, so that they cannot find out which sessions exist.
 * @returns the viewer; null for a client that reads as one that is signed out.
 * @throws Refusal 401 or 404.
 */
export async function requireWatcher(
  { env, pool }: Pick<Deps, "env"> & { pool: Pick<Deps["pool"], "db"> },
  authentication: Authentication,
  { slugOrId, key }: Asked,
): Promise<Viewer | null> {
  const { viewer } = authentication;
  if (viewer !== null && (await findSessionId(pool.db, slugOrId, viewer)) !== null) return viewer;
  const session = await findSession(pool.db, slugOrId);
  if (session !== null && key !== undefined && isStageKey(env, session, key)) return null;
  if (viewer !== null) throw notFound();
  if (session === null) return requireViewer(authentication);
  const isShown = key !== undefined && canShow(session, serverNow());
  return isShown || canWatch(null, session) ? null : requireViewer(authentication);
}

/** What decides who may watch a session. `settings` are stored or shown ones. */
export type Watched = { state: SessionState; settings: unknown };
/** What decides which sessions a viewer may watch. Hosts of the session count as admins. */
export type Standing = { admin: boolean; registered: boolean; removed: boolean };

/** True if a viewer may read this session; null: a signed-out client. */
export function canWatch(own: Standing | null, { state, settings }: Watched): boolean {
  if (own === null) return live.includes(state) && !isPrivate(settings);
  return own.admin || (!own.removed && (own.registered || !isPrivate(settings)));
}

/**
 * True while the big screen of a session is for everybody: once players are sent there, while it is live, and 24 hours after. That
 * of a private session never is.
 */
export function canShow(session: Watched & Pick<SessionRow, "active" | "stoppedAt">, now: Date): boolean {
  const { active, stoppedAt, settings } = session;
  if (isPrivate(settings)) return false;
  const justStopped = stoppedAt !== null && now.getTime() - stoppedAt.getTime() < SHOWN_AFTER_STOP_MS;
  return active || justStopped || canWatch(null, session);
}

type SecretEnv = Pick<Env, "secretKey">;
type Linked = Pick<SessionRow, "id" | "stageLinkGeneration">;

/** The key in the stage link of a session: 43 letters that cannot be guessed. */
export function stageKeyOf({ secretKey }: SecretEnv, { id, stageLinkGeneration }: Linked): string {
  return createHmac("sha256", deriveKey(secretKey, "stage link"))
    .update(`${id}:${stageLinkGeneration}`)
    .digest("base64url");
}

/** True for the key of the session's newest stage link. It takes the same time wherever a key of the right length is wrong. */
function isStageKey(env: SecretEnv, session: Linked, key: string): boolean {
  const [expected, given] = [Buffer.from(stageKeyOf(env, session)), Buffer.from(key)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
