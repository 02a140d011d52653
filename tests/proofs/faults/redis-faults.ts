import type { Fault } from "./fault.ts";
import { memory } from "./plant.ts";

/** A command that changes Redis, and what is said of it. */
const changed = (
  name: string,
  { begin, end, said }: { begin: [string, ...string[]]; end: [string, ...string[]]; said: RegExp },
): Fault => ({
  name: `Redis: ${name}`,
  begin: ({ redis }) => redis.command(...begin),
  end: ({ redis }) => redis.command(...end),
  part: "redis",
  said,
  alert: "Degraded",
});

/** A right that its user loses. */
const rightLost = (name: string, rule: string, back: string): Fault =>
  changed(`its user loses ${name}`, {
    begin: ["ACL", "SETUSER", "default", rule],
    end: ["ACL", "SETUSER", "default", "allchannels", "+@all"],
    said: new RegExp(`ACL SETUSER default ${RegExp.escape(back)}`),
  });

/** What happens to Redis. */
export const redisFaults: readonly Fault[] = [
  {
    name: "Redis: stopped",
    begin: ({ redis }) => process.kill(redis.pid, "SIGSTOP"),
    end: ({ redis }) => process.kill(redis.pid, "SIGCONT"),
    part: "redis",
    said: /Redis is away/,
    alert: "RedisAway",
  },
  {
    name: "Redis: answers after 3 s",
    begin: ({ redisLine }) => redisLine.delay(3_000),
    end: ({ redisLine }) => redisLine.delay(0),
    part: "redis",
    said: /Redis is away .*what slows it/,
    alert: "RedisAway",
  },
  {
    name: "Redis: its memory is full",
    begin: memory("1"),
    end: memory("0"),
    part: "redis",
    said: /its memory is full/,
    alert: "Degraded",
  },
  {
    name: "Redis: a replica that takes no writes",
    begin: ({ redis }) => redis.command("REPLICAOF", "127.0.0.1", "1"),
    end: ({ redis }) => redis.command("REPLICAOF", "NO", "ONE"),
    part: "redis",
    said: /it is a replica/,
    alert: "Degraded",
  },
  {
    name: "Redis: its disk is full",
    begin: ({ redis }) => redis.fillDisk(),
    end: ({ redis }) => redis.emptyDisk(),
    part: "redis",
    said: /could not save its data/,
    alert: "Degraded",
  },
  changed("has another password", {
    begin: ["CONFIG", "SET", "requirepass", "another"],
    end: ["CONFIG", "SET", "requirepass", ""],
    said: /asks for a password/,
  }),
  changed("has no connection left", {
    begin: ["CONFIG", "SET", "maxclients", "1"],
    end: ["CONFIG", "SET", "maxclients", "10000"],
    said: /Raise its maxclients/,
  }),
  rightLost("its channels", "resetchannels", "&*"),
  rightLost("scripts", "-eval", "+eval"),
];
