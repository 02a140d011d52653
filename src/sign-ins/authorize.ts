import type { Who } from "#src/http/endpoint.ts";
import type { Authentication } from "./authenticate.ts";
import { requireOwn } from "./require-own.ts";
import { requireSelf } from "./require-self.ts";
import {
  requireAccount,
  requireAdmin,
  requireNoAccount,
  requireSignedOut,
  requireStaff,
  requireViewer,
} from "./require-viewer.ts";
import type { Viewer } from "./viewer.ts";

type Door = (visit: Authentication) => Viewer | null;

/** A watcher is looked at again where the session is known. */
const open: Door = ({ viewer }) => viewer;
const doors: Record<Who, Door> = {
  public: open,
  anyone: open,
  watcher: open,
  "signed-out": (visit) => {
    requireSignedOut(visit);
    return null;
  },
  "no-account": (visit) => {
    requireNoAccount(visit);
    return visit.viewer;
  },
  viewer: requireViewer,
  self: requireViewer,
  own: requireViewer,
  account: requireAccount,
  "own-account": requireAccount,
  staff: requireStaff,
  admin: requireAdmin,
};

/** Whoever visits, where an endpoint is for them. Refuses the others: 401, 403, or 409 where nobody may be signed in. */
export function authorize(who: Who, visit: Authentication): Viewer | null {
  return doors[who](visit);
}

/** Refuses whoever asks for what is another user's, as if there were none: 404. */
export function authorizeOwner(who: Who, viewer: Viewer | null, userId: unknown): void {
  if (viewer === null || typeof userId !== "number") return;
  if (who === "self" || who === "own-account") requireSelf(viewer, userId);
  if (who === "own") requireOwn(viewer, userId);
}
