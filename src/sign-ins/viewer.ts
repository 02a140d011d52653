import * as v from "valibot";
import { type Role, roles } from "#db/lists/users.ts";
import { presentAvatar } from "./present-avatar.ts";
import type { Avatar, ViewerView } from "./schemas.ts";

/** The signed-in user. */
export type Viewer = {
  id: number;
  gid: string;
  email: string | null;
  username: string;
  avatar: Avatar;
  roles: Role[];
  guest: boolean;
  createdAt: Date;
};

/** Reads a viewer from a database row, where ids are text. */
export const viewerRow = v.pipe(
  v.object({
    userId: v.pipe(v.string(), v.toNumber()),
    email: v.nullable(v.string()),
    username: v.string(),
    avatar: v.pipe(v.unknown(), v.transform(presentAvatar)),
    roles: v.array(v.picklist(roles)),
    guest: v.boolean(),
    createdAt: v.date(),
  }),
  v.transform(({ userId, ...rest }): Viewer => ({ id: userId, gid: gidOf(userId), ...rest })),
);

/** The global id of a user: `gid://called-it/User/1`. */
export function gidOf(userId: number): string {
  return `gid://called-it/User/${userId}`;
}

export function isAdmin(viewer: Pick<Viewer, "roles"> | null): boolean {
  return viewer?.roles.includes("admin") ?? false;
}

/** True for operators, who look after the queues and the books, and for admins. */
export function isStaff(viewer: Viewer | null): boolean {
  return isAdmin(viewer) || (viewer?.roles.includes("operator") ?? false);
}

/** A viewer as the app gets it. */
export function presentViewer({ createdAt: _createdAt, ...viewer }: Viewer): ViewerView {
  return viewer;
}
