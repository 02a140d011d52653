import * as v from "valibot";
import { forbidden, guestRefused, Refusal, unauthenticated } from "#src/http/refusal.ts";
import { type Role, roles, type ViewerView } from "./contract.ts";
import type { Visit } from "./visit.ts";

/** Who is signed in. */
export type Viewer = {
  id: number;
  gid: string;
  email: string | null;
  username: string;
  roles: Role[];
  guest: boolean;
  createdAt: Date;
};

/** A viewer as a database row gives it: ids as text, roles as an array. */
export const viewerRow = v.pipe(
  v.object({
    userId: v.pipe(v.string(), v.toNumber()),
    email: v.nullable(v.string()),
    username: v.string(),
    roles: v.array(v.picklist(roles)),
    guest: v.boolean(),
    createdAt: v.date(),
  }),
  v.transform(({ userId, ...rest }): Viewer => ({ id: userId, gid: gidOf(userId), ...rest })),
);

/** The name of a user in the whole world: `gid://called-it/User/1`. */
export function gidOf(userId: number): string {
  return `gid://called-it/User/${userId}`;
}

export function isAdmin(viewer: Viewer | null): boolean {
  return viewer?.roles.includes("admin") ?? false;
}

/** Whoever is signed in, guests included. Refuses the others: 401. */
export function requireViewer({ viewer, expired }: Visit): Viewer {
  if (viewer !== null) return viewer;
  if (expired) throw sessionExpired();
  throw unauthenticated();
}

/** A viewer with an account. Refuses guests: 403 with code guest. */
export function requireAccount(visit: Visit): Viewer {
  const viewer = requireViewer(visit);
  if (viewer.guest) throw guestRefused();
  return viewer;
}

/** A viewer with the role admin. Refuses the others: 403. */
export function requireAdmin(visit: Visit): Viewer {
  const viewer = requireAccount(visit);
  if (!isAdmin(viewer)) throw forbidden();
  return viewer;
}

/** A viewer as the app knows it. */
export function presentViewer({ createdAt: _createdAt, ...viewer }: Viewer): ViewerView {
  return viewer;
}

function sessionExpired(): Refusal {
  return new Refusal(401, "session_expired", "Your session expired. Please sign in again to continue.");
}
