import { expect, test } from "bun:test";
import { limitRate } from "#src/http/rate-limit.ts";
import { testDeps } from "#tests/support/deps.ts";
import { createTestRedis, readyConnection } from "#tests/support/redis.ts";
import { refusalOf } from "#tests/support/world.ts";

const deps = await testDeps();

const MINUTE_S = 60;
let lastName = 0;
const buildRate = (most: { perAccount?: number; perAddress?: number }) => {
  lastName += 1;
  return { name: `test-${lastName}`, withinS: MINUTE_S, ...most };
};
const from = (address: string) => ({ address, viewer: null });

test("too many requests from one address are refused with Retry-After; another address is not", async () => {
  const rate = buildRate({ perAddress: 3 });
  for (let time = 0; time < 3; time += 1) await limitRate(deps, rate, from("198.51.100.7"));
  const refusal = await refusalOf(limitRate(deps, rate, from("198.51.100.7")));
  expect(refusal).toMatchObject({ status: 429, code: "rate_limited" });
  expect(refusal.message).toBe("Too many attempts. Try again in a minute.");
  expect(refusal.details.retryAfterSeconds).toBeWithin(1, MINUTE_S + 1);
  await limitRate(deps, rate, from("198.51.100.8"));
});

test("twenty concurrent requests are counted exactly", async () => {
  const rate = buildRate({ perAddress: 5 });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => limitRate(deps, rate, from("198.51.100.7"))),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
});

test("an account is counted across addresses, by its id or by the submitted email", async () => {
  const rate = buildRate({ perAccount: 2, perAddress: 100 });
  await limitRate(deps, rate, { address: "198.51.100.1", viewer: { id: 7 } });
  await limitRate(deps, rate, { address: "198.51.100.2", viewer: { id: 7 } });
  expect(
    await refusalOf(limitRate(deps, rate, { address: "198.51.100.3", viewer: { id: 7 } })),
  ).toBeDefined();
  await limitRate(deps, rate, { address: "198.51.100.1", viewer: { id: 8 } });

  const named = { ...from("198.51.100.1"), account: "ana@example.test" };
  await limitRate(deps, rate, named);
  await limitRate(deps, rate, named);
  expect(await refusalOf(limitRate(deps, rate, named))).toBeDefined();
});

test("the addresses of one IPv6 network share one count", async () => {
  const rate = buildRate({ perAddress: 3 });
  await limitRate(deps, rate, from("2001:db8:0:1::5"));
  await limitRate(deps, rate, from("2001:db8::1:aaaa:0:0:1"));
  await limitRate(deps, rate, from("2001:db8:0:1:ffff:ffff:ffff:ffff"));
  expect(await refusalOf(limitRate(deps, rate, from("2001:db8:0:1::6")))).toBeDefined();
  await limitRate(deps, rate, from("2001:db8:0:2::5"));
  await limitRate(deps, rate, from("::1"));
});

test("an owner of many IPv6 networks may do what 16 addresses may, and no more", async () => {
  const rate = buildRate({ perAddress: 2 });
  for (let network = 0; network < 16; network += 1) {
    await limitRate(deps, rate, from(`2001:db8:7:${network.toString(16)}::1`));
    await limitRate(deps, rate, from(`2001:db8:7:${network.toString(16)}::2`));
  }
  expect(await refusalOf(limitRate(deps, rate, from("2001:db8:7:ffff::1")))).toMatchObject({ status: 429 });
  await limitRate(deps, rate, from("2001:db8:8::1"));
});

test("processes share their counts", async () => {
  const rate = buildRate({ perAddress: 1 });
  const other = { ...deps, redis: await readyConnection(deps.env.redisUrl) };
  await limitRate(deps, rate, from("198.51.100.7"));
  expect(await refusalOf(limitRate(other, rate, from("198.51.100.7")))).toBeDefined();
  other.redis.disconnect();
});

test("while Redis is away each process counts on its own", async () => {
  const own = await createTestRedis();
  const cut = { ...deps, redis: own.redis };
  await own.stop();
  const rate = buildRate({ perAddress: 2 });
  await limitRate(cut, rate, from("198.51.100.7"));
  await limitRate(cut, rate, from("198.51.100.7"));
  expect(await refusalOf(limitRate(cut, rate, from("198.51.100.7")))).toBeDefined();
});

test("with RATE_LIMITS off nothing is counted", async () => {
  const rate = buildRate({ perAddress: 1 });
  const free = { ...deps, env: { ...deps.env, rateLimits: false } };
  for (let time = 0; time < 5; time += 1) await limitRate(free, rate, from("198.51.100.7"));
  await limitRate(deps, rate, from("198.51.100.7"));
});

test("a rate that is counted per process does not use Redis", async () => {
  const rate = { ...buildRate({ perAccount: 2 }), perProcess: true as const };
  const asking = { address: "", viewer: { id: 9 } };
  await limitRate(deps, rate, asking);
  await limitRate(deps, rate, asking);
  expect(await refusalOf(limitRate(deps, rate, asking))).toMatchObject({ status: 429 });
  expect(await deps.redis.keys(`*${rate.name}*`)).toEqual([]);
});
