import * as v from "valibot";
import { type Role, roles } from "#db/lists/users.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import type { Avatar } from "#src/people/avatars/schemas.ts";
import type { Env } from "#src/settings/env.ts";
import type { ViewerView } from "./schemas.ts";

export type Viewer = {
  id: number;
  gid: string;
  email: string | null;
  username: string;
  avatar: Avatar;
  roles: Role[];
  /** The ids of the sessions whose host the user is: which the user runs (require-host.ts). */
  hostOf: readonly number[];
  guest: boolean;
  /** Until when the user is on a break; null for none. */
  breakUntil: Date | null;
  createdAt: Date;
  /** The access token with which a program acts for the user; the audit names it. */
  accessTokenId?: number;
};

/** The columns of a user that make a viewer, as Postgres returns them: ids are text. */
export const viewerColumnsRow = v.object({
  userId: v.string(),
  email: v.nullable(v.string()),
  username: v.string(),
  avatar: v.unknown(),
  /** A newer release may have given roles that this one does not know. */
  roles: v.array(v.string()),
  hostOf: v.array(v.number()),
  guest: v.boolean(),
  breakUntil: v.nullable(v.date()),
  createdAt: v.date(),
});

export const viewerRow = v.pipe(viewerColumnsRow, v.transform(viewerIn));

/** The viewer of a row that needs no check. */
export function viewerIn(row: v.InferOutput<typeof viewerColumnsRow>): Viewer {
  const { email, username, roles: held, hostOf, guest, breakUntil, createdAt } = row;
  const id = Number(row.userId);
  return {
    id,
    gid: gidOf(id),
    email,
    username,
    avatar: presentAvatar(row.avatar),
    roles: roles.filter((role) => held.includes(role)),
    hostOf,
    guest,
    breakUntil,
    createdAt,
  };
}

/** The global id of a user: `gid://called-it/User/1`. */
export function gidOf(userId: number): string {
  return `gid://called-it/User/${userId}`;
}

export function isAdmin(viewer: { roles: readonly string[] } | null): boolean {
  return viewer?.roles.includes("admin") ?? false;
}

/** True for operators, who look after the queues and the books, and for admins. */
export function isStaff(viewer: Viewer | null): boolean {
  return isAdmin(viewer) || (viewer?.roles.includes("operator") ?? false);
}

export function presentViewer({
  createdAt: _createdAt,
  accessTokenId: _token,
  hostOf,
  breakUntil,
  ...viewer
}: Viewer): ViewerView {
  return { ...viewer, hostOf: [...hostOf], breakUntil: breakUntil?.toISOString() ?? null };
}

// Decision: where the setting demands passkeys of admins, the roles are withheld from a sign-in by password: it is a player's, in
// every page, endpoint and socket. So nothing but the passkeys needs a rule of its own, and nothing can be forgotten. Hosts of one
// session decide about money too, so the same holds for them.

export function withoutRoles(viewer: Viewer): Viewer {
  return viewer.roles.length + viewer.hostOf.length === 0 ? viewer : { ...viewer, roles: [], hostOf: [] };
}

/** The viewer as this sign-in may act. */
export function withholdRoles(
  { adminPasskeysRequired }: Pick<Env, "adminPasskeysRequired">,
  viewer: Viewer,
  { byPasskey }: { byPasskey: boolean },
): Viewer {
  return adminPasskeysRequired && !byPasskey ? withoutRoles(viewer) : viewer;
}
