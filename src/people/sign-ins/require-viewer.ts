import { forbidden, guestRefused, notFound, unauthenticated } from "#src/base/refusal.ts";
import type { Authentication } from "./authenticate.ts";
import { alreadySignedIn, sessionExpired, unconfirmed } from "./refusal.ts";
import { isAdmin, isStaff, type Viewer } from "./viewer.ts";

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

/** The signed-in admin. Refuses everyone else: 401, 403. */
export function requireAdmin(authentication: Authentication): Viewer {
  const viewer = requireAccount(authentication);
  if (!isAdmin(viewer)) throw forbidden();
  return viewer;
}

/** The signed-in admin, or the host of some session. Refuses everyone else: 401, 403. */
export function requireHost(authentication: Authentication): Viewer {
  const viewer = requireAccount(authentication);
  if (!isAdmin(viewer) && viewer.hostOf.length === 0) throw forbidden();
  return viewer;
}

/** The signed-in admin or operator. Refuses everyone else: 401, 403. */
export function requireStaff(authentication: Authentication): Viewer {
  const viewer = requireAccount(authentication);
  if (!isStaff(viewer)) throw forbidden();
  return viewer;
}

/** Refuses users who are signed in with an account: 409. Signed-out clients and guests pass. */
export function requireNoAccount({ viewer }: Authentication): void {
  if (viewer?.guest === false) throw alreadySignedIn();
}

/** Refuses signed-in users, including guests: 409. */
export function requireSignedOut({ viewer }: Authentication): void {
  if (viewer !== null) throw alreadySignedIn();
}

/** Refuses access to another user's data, for admins too, as if it did not exist: 404. */
export function requireSelf(viewer: { id: number }, userId: number): void {
  if (viewer.id !== userId) throw notFound();
}

/** Refuses access to another user's data, except for admins, as if it did not exist: 404. */
export function requireOwn(viewer: Viewer, userId: number): void {
  if (viewer.id !== userId && !isAdmin(viewer)) throw notFound();
}
