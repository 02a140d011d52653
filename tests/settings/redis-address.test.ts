import { expect, test } from "bun:test";
import { parseRedisUrl } from "#src/settings/redis-address.ts";

test("an address names one server, or its socket", () => {
  expect(parseRedisUrl("redis://host")).toEqual({
    hosts: [{ host: "host", port: 6_379 }],
    isCluster: false,
    db: 0,
    tls: false,
  });
  expect(parseRedisUrl("rediss://ana:p%40ss@host:6380/2")).toEqual({
    hosts: [{ host: "host", port: 6_380 }],
    isCluster: false,
    db: 2,
    tls: true,
    username: "ana",
    password: "p@ss",
  });
  expect(parseRedisUrl("redis://:secret@[::1]:6379")).toMatchObject({
    hosts: [{ host: "::1", port: 6_379 }],
    password: "secret",
  });
  expect(parseRedisUrl("unix:/run/redis.sock")).toMatchObject({ path: "/run/redis.sock", hosts: [] });
});

test("an address names a cluster by some of its nodes, and a master by its sentinels", () => {
  expect(parseRedisUrl("rediss+cluster://:secret@one:7000,two")).toMatchObject({
    hosts: [
      { host: "one", port: 7_000 },
      { host: "two", port: 6_379 },
    ],
    isCluster: true,
    tls: true,
    password: "secret",
  });
  expect(parseRedisUrl("redis+sentinel://one,two:26380/game/3?sentinel_password=s%26")).toMatchObject({
    hosts: [
      { host: "one", port: 26_379 },
      { host: "two", port: 26_380 },
    ],
    isCluster: false,
    masterName: "game",
    db: 3,
    sentinelPassword: "s&",
  });
});

test.each([
  "localhost:6379",
  "http://host",
  "redis://ana:%zz@host",
  "redis://one,two",
  "redis://host/name",
  "redis+cluster://one,two/1",
  "redis+cluster://one,",
  "redis+sentinel://one,two",
])("%s is refused", (url) => {
  expect(parseRedisUrl(url)).toBeNull();
});
