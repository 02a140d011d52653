import type { Who } from "#src/http/endpoint.ts";
import type { Authentication } from "./authenticate.ts";
import {
  requireAccount,
  requireAdmin,
  requireHost,
  requireNoAccount,
  requireOwn,
  requireSelf,
  requireSignedOut,
  requireStaff,
  requireViewer,
} from "./require-viewer.ts";
import type { Viewer } from "./viewer.ts";

type AudienceCheck = (authentication: Authentication) => Viewer | null;

/** `watcher` is checked again by the handler, which knows the session, and `host` by require-host.ts. */
const allowAll: AudienceCheck = ({ viewer }) => viewer;
const checks: Record<Who, AudienceCheck> = {
  public: allowAll,
  anyone: allowAll,
  watcher: allowAll,
  "signed-out": (authentication) => {
    requireSignedOut(authentication);
    return null;
  },
  "no-account": (authentication) => {
    requireNoAccount(authentication);
    return authentication.viewer;
  },
  viewer: requireViewer,
  self: requireViewer,
  own: requireViewer,
  account: requireAccount,
  "own-account": requireAccount,
  host: requireHost,
  staff: requireStaff,
  admin: requireAdmin,
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
  if (who === "self") requireSelf(viewer, userId);
  if (who === "own" || who === "own-account") requireOwn(viewer, userId);
}
