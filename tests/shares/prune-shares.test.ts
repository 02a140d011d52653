import { expect, test } from "bun:test";
import { shares } from "#db/schema/shares.ts";
import { pruneShares } from "#src/shares/update-share.ts";
import { testDeps } from "#tests/support/deps.ts";
import { buildCalled, readShares } from "./shows.ts";

const deps = await testDeps();
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

test("links that ended 90 days ago are deleted, and all others stay", async () => {
  const { player, callId } = await buildCalled(deps);
  const link = (token: string, ends: { revokedAt?: Date; expiresAt?: Date }) => ({
    userId: player.id,
    kind: "call" as const,
    callId,
    token,
    timeZone: "UTC",
    createdAt: daysAgo(400),
    ...ends,
  });
  await deps.pool.db
    .insert(shares)
    .values([
      link("never-ends", {}),
      link("revoked-long-ago", { revokedAt: daysAgo(91) }),
      link("revoked-lately", { revokedAt: daysAgo(89) }),
      link("expired-long-ago", { expiresAt: daysAgo(91) }),
      link("expires-later", { expiresAt: daysAgo(-1) }),
    ]);
  await pruneShares(deps);
  const left = (await readShares(deps, player.id)).map(({ token }) => token);
  expect(left).toEqual(["never-ends", "revoked-lately", "expires-later"]);
});
