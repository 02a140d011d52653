import { test } from "bun:test";
import pino from "pino";
import { ReactionCounter } from "#src/live/reactions/reaction-counter.ts";
import { redisAway } from "#tests/support/redis.ts";
import { waitFor } from "#tests/support/wait-for.ts";

test("while Redis is away reactions are lost, and the player is not told", async () => {
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  const counter = new ReactionCounter({ redis: await redisAway(), log });
  counter.add(7, "love");
  await waitFor("the loss in the log", () => lines.some((line) => line.includes("are lost")));
});
