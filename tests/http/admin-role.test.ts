import { expect, test } from "bun:test";
import type { Role } from "#db/lists/users.ts";
import { userRoles } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { signedInClient, signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);

const cases: [roles: Role[], isAdmin: boolean][] = [
  [[], false],
  [["operator"], false],
  [["admin"], true],
  [["operator", "admin"], true],
];

test.each(cases)("a user with the roles %j is an admin: %p", async (roles, isAdmin) => {
  const user = await buildPlayer(deps);
  if (roles.length > 0)
    await deps.pool.db.insert(userRoles).values(roles.map((role) => ({ userId: user.id, role })));
  const client = await signedInClient(deps, server, user);
  const { cookie = "" } = await signInDirectly(deps, user);
  const page = await server.handle(
    new Request("http://localhost:3000/blueprints", { headers: { accept: "text/html", cookie } }),
  );
  const request = await client.get("/api/v1/blueprints");
  expect([request.status, page.status]).toEqual(isAdmin ? [200, 200] : [403, 302]);
});
