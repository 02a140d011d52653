import type { Role } from "#db/lists/users.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { gidOf, type Viewer } from "#src/people/sign-ins/viewer.ts";
import type { BuiltUser } from "#tests/support/build.ts";

/** A built user as the viewer of a request. */
export function asViewer(
  { id, username, email, guest, createdAt }: BuiltUser,
  roles: Role[] = ["admin"],
): Viewer {
  return {
    id,
    gid: gidOf(id),
    username,
    email,
    guest,
    createdAt,
    roles,
    hostOf: [],
    avatar: presentAvatar(null),
  };
}
