import { forbidden, guestRefused, notFound, unauthenticated } from "#src/base/refusal.ts";
import type { Who } from "#src/http/endpoint.ts";
import type { Authentication } from "./authenticate.ts";
import { alreadySignedIn, sessionExpired, unconfirmed } from "./refusal.ts";
import { isAdmin, isStaff, type Viewer } from "./viewer.ts";

type AudienceCheck = (authentication: Authentication) => Viewer | null;

/** `watcher` is checked again by the handler, which knows the session, and `host` by require-host.ts. */
const allowAll: AudienceCheck = ({ viewer }) => viewer;
/** The signed-in user with an account and this right. Refuses everyone else: 401, 403. */
const accountWith = (hasRight: (viewer: Viewer) => boolean): AudienceCheck => {
  return (authentication) => {
    const viewer = requireAccount(authentication);
    if (!hasRight(viewer)) throw forbidden();
    return viewer;
  };
};
const checks: Record<Who, AudienceCheck> = {
  public: allowAll,
  anyone: allowAll,
  watcher: allowAll,
  "signed-out": ({ viewer }) => {
    if (viewer !== null) throw alreadySignedIn();
    return null;
  },
  "no-account": ({ viewer }) => {
    if (viewer?.guest === false) throw alreadySignedIn();
    return viewer;
  },
  viewer: requireViewer,
  self: requireViewer,
  own: requireViewer,
  account: requireAccount,
  "own-account": requireAccount,
  host: accountWith((viewer) => isAdmin(viewer) || viewer.hostOf.length > 0),
  staff: accountWith(isStaff),
  admin: accountWith(isAdmin),
};

/**
 * The viewer, if the endpoint's audience includes the caller. Refuses everyone else: 401, 403, or 409 if the caller must be
 * signed out.
 */
export function authorize(who: Who, authentication: Authentication): Viewer | null {
  return checks[who](authentication);
}

/** Refuses access to another user's data as if it did not exist: 404. @param userId from the path. */
export function authorizeOwner(who: Who, viewer: Viewer | null, userId: unknown): void {
  if (viewer === null || typeof userId !== "number") return;
  if (who === "self" && viewer.id !== userId) throw notFound();
  if (who === "own" || who === "own-account") requireOwn(viewer, userId);
}

/** The signed-in user, including guests. Refuses signed-out clients: 401. */
export function requireViewer({ viewer, invalidReason }: Authentication): Viewer {
  if (viewer !== null) return viewer;
  if (invalidReason === "expired") throw sessionExpired();
  if (invalidReason === "unconfirmed") throw unconfirmed(401);
  throw unauthenticated();
}

/** The signed-in user with an account. Refuses guests: 403 with code guest. */
export function requireAccount(authentication: Authentication): Viewer {
  const viewer = requireViewer(authentication);
  if (viewer.guest) throw guestRefused();
  return viewer;
}

/** Refuses access to another user's data, except for admins, as if it did not exist: 404. */
export function requireOwn(viewer: Viewer, userId: number): void {
  if (viewer.id !== userId && !isAdmin(viewer)) throw notFound();
}
