import { expect, test } from "bun:test";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { can, requireHostOf } from "#src/people/sign-ins/require-host.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";

const deps = await testDeps();
const player = await findViewer(deps.pool.db, (await buildPlayer(deps)).id);
const host = { ...player, hostOf: [7] };
const admin = { ...player, roles: ["admin" as const] };
const asked = { params: { id: 7 }, query: () => ({}), body: () => ({}) };

test("admins run all sessions, hosts their own, and nobody else any", () => {
  expect([admin, host, player, null].map((viewer) => can(viewer, "run", { id: 7 }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(can(host, "run", { id: 8 })).toBe(false);
});

test("an endpoint for hosts that names no session refuses everybody but admins", async () => {
  const forgetful = { who: "host" } as const;
  expect(await refusalOf(requireHostOf(deps, forgetful, { ...asked, viewer: host }))).toMatchObject({
    status: 403,
  });
  await requireHostOf(deps, forgetful, { ...asked, viewer: admin });
  await requireHostOf(deps, { who: "host", session: "id" }, { ...asked, viewer: host });
});
