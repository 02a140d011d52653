import { expect, test } from "bun:test";
import { rates } from "#src/http/rates.ts";
import { createServer } from "#src/server.ts";
import { buildToken, createProgram } from "#tests/people/access-tokens/build-token.ts";
import { buildAdmin, buildPlayer } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps({ RATE_LIMITS: "on" });
const server = createServer(deps);
const admin = await buildAdmin(deps);
const browser = await signedInClient(deps, server, admin);

/** `"call:account";r=598;t=41` -> call:account 598, and the seconds. */
function leftIn({ headers }: { headers: Headers }) {
  return (headers.get("ratelimit") ?? "").split(", ").map((item) => {
    const { name, left, seconds } =
      /^"(?<name>[^"]+)";r=(?<left>\d+);t=(?<seconds>\d+)$/.exec(item)?.groups ?? {};
    return { name, left: Number(left), seconds: Number(seconds) };
  });
}
const policyOf = ({ headers }: { headers: Headers }) => headers.get("ratelimit-policy");
const dryRun = () => browser.send("PUT", "/api/v1/webhooks/999999/secret", {});

test("each answer to a program says what is left for its token, also a refusal and one with a limit of its own", async () => {
  const program = createProgram(server, (await buildToken(deps, { userId: admin.id })).secret);
  const first = await program.get("/api/v1/events");
  expect(policyOf(first)).toBe('"access-token:account";q=600;w=60');
  expect(leftIn(first)).toMatchObject([{ name: "access-token:account", left: 599 }]);
  const second = await program.get("/api/v1/events/999999");
  expect([second.status, ...leftIn(second)]).toMatchObject([404, { left: 598 }]);
  const [{ seconds } = { seconds: 0 }] = leftIn(second);
  expect(seconds).toBeWithin(1, 61);
});

test("an endpoint with a limit says what is left, before and when it refuses, and the body of the refusal does not", async () => {
  const { perAccount, withinS } = rates.changeWebhook;
  const first = await dryRun();
  expect(policyOf(first)).toBe(`"change-webhook:account";q=${perAccount};w=${withinS}`);
  expect([first.status, ...leftIn(first)]).toMatchObject([404, { left: perAccount - 1 }]);
  await Promise.all(Array.from({ length: perAccount - 1 }, dryRun));
  const refused = await dryRun();
  expect([refused.status, ...leftIn(refused)]).toMatchObject([429, { left: 0 }]);
  expect(leftIn(refused)[0]?.seconds).toBe(Number(refused.headers.get("retry-after")));
  expect(policyOf(refused)).toBe(policyOf(first));
  expect(refused.body).toMatchObject({ code: "rate_limited" });
  expect(JSON.stringify(refused.body)).not.toContain("rateLimits");
});

test("a call that is placed says what is left, and an answer without a limit says nothing, as where limits are off", async () => {
  const player = await signedInClient(deps, server, await buildPlayer(deps));
  const call = await player.send("POST", "/api/v1/calls", { call: { spot_id: 999_999 } });
  expect(leftIn(call)).toMatchObject([{ name: "call:account", left: rates.placeCall.perAccount - 1 }]);
  expect(policyOf(await player.get("/api/v1/events"))).toBeNull();
  const off = await testDeps({ RATE_LIMITS: "off" });
  const free = createProgram(
    createServer(off),
    (await buildToken(off, { userId: (await buildAdmin(off)).id })).secret,
  );
  expect([off.env.rateLimits, policyOf(await free.get("/api/v1/events"))]).toEqual([false, null]);
});
