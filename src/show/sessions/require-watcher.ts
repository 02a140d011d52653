import { createHmac, timingSafeEqual } from "node:crypto";
import type { SessionState } from "#db/lists/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { requireViewer } from "#src/people/sign-ins/require-viewer.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";
import { findSession } from "./find-session.ts";
import type { SessionRow } from "./with-session.ts";

// Decision: a stage link is signed and not stored, like the ids of files. It opens the big screen of one session before, during and
// after the show, to everybody who has it. Renewing it counts its generation up, which ends every link before.

const live: readonly SessionState[] = ["running", "paused"];
/** How long after the end the big screen still shows the first three to everybody. */
const SHOWN_AFTER_STOP_MS = 24 * 3_600_000;

type WatchDeps = Pick<Deps, "env"> & { pool: Pick<Deps["pool"], "db"> };
type Watched = {
  slugOrId: string;
  /** The key of a stage link, or "" for a big screen that was opened without one. Left out by everything else. */
  key?: string | undefined;
};

/**
 * Authorizes a read of a session. Signed-in users can read every session. Signed-out clients can read live ones; for a big screen
 * also those that canShow or whose stage link they have. For all others they get 401, so that they cannot find out which sessions
 * exist.
 * @returns the viewer; null for a signed-out client.
 * @throws Refusal 401.
 */
export async function requireWatcher(
  { env, pool }: WatchDeps,
  authentication: Authentication,
  { slugOrId, key }: Watched,
): Promise<Viewer | null> {
  if (authentication.viewer !== null) return authentication.viewer;
  const session = await findSession(pool.db, slugOrId);
  if (session === null) return requireViewer(authentication);
  const asScreen = key !== undefined && (canShow(session, serverNow()) || isStageKey(env, session, key));
  return asScreen || canWatch(null, session) ? null : requireViewer(authentication);
}

/** True if a viewer may read a session in this state; null: a signed-out client. */
export function canWatch(viewer: object | null, { state }: { state: SessionState }): boolean {
  return viewer !== null || live.includes(state);
}

/** True while the big screen of a session is for everybody: once players are sent there, while it is live, and 24 hours after. */
function canShow(session: Pick<SessionRow, "state" | "active" | "stoppedAt">, now: Date): boolean {
  const { active, stoppedAt } = session;
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
