import { forbidden, guestRefused, unauthenticated } from "#src/base/refusal.ts";
import type { Authentication } from "./authenticate.ts";
import { alreadySignedIn, sessionExpired, unconfirmed } from "./refusal.ts";
import { isAdmin, isStaff, type Viewer } from "./viewer.ts";

/** Whoever is signed in, guests included. Refuses the others: 401. */
export function requireViewer({ viewer, shut }: Authentication): Viewer {
  if (viewer !== null) return viewer;
  if (shut === "expired") throw sessionExpired();
  if (shut === "unconfirmed") throw unconfirmed(401);
  throw unauthenticated();
}

/** A viewer with an account. Refuses guests: 403 with code guest. */
export function requireAccount(visit: Authentication): Viewer {
  const viewer = requireViewer(visit);
  if (viewer.guest) throw guestRefused();
  return viewer;
}

/** A viewer with the role admin. Refuses the others: 403. */
export function requireAdmin(visit: Authentication): Viewer {
  const viewer = requireAccount(visit);
  if (!isAdmin(viewer)) throw forbidden();
  return viewer;
}

/** A viewer with the role admin or operator. Refuses the others: 403. */
export function requireStaff(visit: Authentication): Viewer {
  const viewer = requireAccount(visit);
  if (!isStaff(viewer)) throw forbidden();
  return viewer;
}

/** Whoever has no account open: signed out, or a guest. Refuses the others: 409, nobody signs in twice. */
export function requireNoAccount({ viewer }: Authentication): void {
  if (viewer?.guest === false) throw alreadySignedIn();
}

/** Whoever is signed out. Refuses the others, guests too: 409. */
export function requireSignedOut({ viewer }: Authentication): void {
  if (viewer !== null) throw alreadySignedIn();
}
