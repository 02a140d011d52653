import { expect, test } from "bun:test";
import { issueChallenge, useChallenge } from "#src/people/passkeys/challenges.ts";
import { redisAway } from "#tests/support/redis.ts";

test("while Redis is away a challenge is refused as what passes, and not as a fault", async () => {
  const redis = await redisAway();
  const asker = { purpose: "add", askedBy: "a sign-in" } as const;
  const refused = { status: 503, code: "unavailable" };
  expect(issueChallenge({ redis }, asker)).rejects.toMatchObject(refused);
  expect(useChallenge({ redis }, asker, "a challenge")).rejects.toMatchObject(refused);
});
