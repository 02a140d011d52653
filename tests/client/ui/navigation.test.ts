import { describe, expect, test } from "bun:test";
import { mainItems, mainNavigation, userItems, userNavigation } from "#client/ui/navigation.ts";
import { roles } from "#db/lists/users.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";

const viewerWith = (...own: ViewerView["roles"]): ViewerView => ({
  id: 1,
  gid: "gid://called-it/User/1",
  email: "ana@example.test",
  username: "ana",
  roles: own,
  hostOf: [],
  guest: false,
  avatar: presentAvatar(null),
});
const allItems = [...mainItems, ...userItems];
const seenBy = (viewer: ViewerView) => [...mainNavigation(viewer.roles), ...userNavigation(viewer)];
const pathsOf = (items: readonly { path: string }[]) => items.map(({ path }) => path);

test("the top navigation has four items, all for admins only", () => {
  expect(mainItems.map(({ label, path, roles: only }) => [label, path, only])).toEqual([
    ["Blueprints", "/blueprints", ["admin"]],
    ["Sessions", "/sessions", ["admin"]],
    ["Leaderboard", "/leaderboard", ["admin"]],
    ["Users", "/users", ["admin"]],
  ]);
});

test("the user navigation has Profile for everybody, and Dashboard, which is disabled", () => {
  expect(userItems).toContainEqual({ label: "Profile", path: "/profile", icon: "person" });
  expect(userItems).toContainEqual({
    label: "Dashboard",
    path: "/dashboard",
    icon: expect.any(String),
    disabled: true,
  });
  expect(allItems.filter(({ disabled }) => disabled === true)).toHaveLength(1);
});

describe("a viewer sees", () => {
  test("as an admin, every item that is not disabled", () => {
    const enabled = allItems.filter(({ disabled }) => disabled !== true);
    expect(pathsOf(seenBy(viewerWith("admin")))).toEqual(pathsOf(enabled));
  });

  test.each([[[]], [["operator"]]] as const)(
    "with the roles %j, no item that is disabled or for admins only",
    (own) => {
      const seen = seenBy(viewerWith(...own));
      for (const item of allItems.filter(({ disabled }) => disabled === true))
        expect(seen).not.toContain(item);
      for (const item of allItems.filter((each) => each.roles?.join() === "admin"))
        expect(seen).not.toContain(item);
      expect(pathsOf(seen)).toContain("/profile");
    },
  );

  test("as the host of a session, the way to it; an admin has it already", () => {
    const hosting = { label: "Sessions you host", path: "/profile#hosted" };
    expect(userNavigation({ ...viewerWith(), hostOf: [3] })[0]).toMatchObject(hosting);
    expect(pathsOf(userNavigation({ ...viewerWith("admin"), hostOf: [3] }))).not.toContain(hosting.path);
    expect(pathsOf(userNavigation(viewerWith()))).not.toContain(hosting.path);
  });

  test("never the dashboard, whatever the roles", () => {
    for (const own of [[], ...roles.map((role) => [role]), [...roles]])
      expect(pathsOf(seenBy(viewerWith(...own)))).not.toContain("/dashboard");
  });
});
