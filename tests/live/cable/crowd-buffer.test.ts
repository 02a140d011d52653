import { describe, expect, test } from "bun:test";
import { CrowdBuffer } from "#src/live/cable/crowd-buffer.ts";
import type { Delivery } from "#src/live/cable/slow-clients.ts";
import { waitFor } from "#tests/support/wait-for.ts";

type Said = { eventType?: string; said?: string; size?: number };

/**
 * The messages that have passed, each as its topic, its offset and what it says.
 * @param about passMs: how long a message takes to pass. passed: where they are noted.
 */
function openBuffer({ passMs = 0, passed = [] }: { passMs?: number; passed?: string[] } = {}) {
  let nowMs = 0;
  const pass = ({ topic, message }: Delivery) => {
    const [, said = ""] = /"said":"([^"]*)"/.exec(message.text) ?? [];
    passed.push(`${topic} ${message.offset} ${said}`.trim());
    nowMs += passMs;
  };
  const buffer = new CrowdBuffer(pass, { nowMs: () => nowMs });
  let offset = 0;
  const push = (topic: string, sourceType: string, { eventType = "", said = "", size = 500 }: Said = {}) => {
    offset += 1;
    const detail = sourceType === "Spot" ? { eventId: 1, said } : { said };
    const text = JSON.stringify({ epoch: "a.1", offset, sourceType, eventType, detail });
    const message = { epoch: "a.1", offset, text };
    const delivery = { topic, stream: topic, protocol: "plain", identifier: topic, message } as const;
    buffer.push(delivery, { size, audience: size });
  };
  return { buffer, push, passed };
}

const pool = (said: string): Said => ({ eventType: "pool", said });
const line = (said: string): Said => ({ eventType: "create", said });
/** Waits for so many messages. On a busy machine more may have passed by then. @returns the first ones. */
async function untilPassed(passed: readonly string[], count: number): Promise<readonly string[]> {
  await waitFor(`${count} messages to pass`, () => passed.length >= count);
  return passed.slice(0, count);
}

describe("in a crowd", () => {
  test("pools, counts and the chat wait for each other, and pass together in their order", async () => {
    const { push, passed } = openBuffer();
    push("session", "Spot", pool("pool"));
    push("chat", "Message", line("hello"));
    push("session", "Reaction", { eventType: "count", said: "fire" });
    expect(passed).toEqual([]);
    expect(await untilPassed(passed, 3)).toEqual(["session 1 pool", "session 3 fire", "chat 2 hello"]);
  });

  test("of two pools of an event the older one is its offset alone", () => {
    const { buffer, push, passed } = openBuffer();
    push("session", "Spot", pool("old"));
    push("session", "Message", line("hello"));
    push("session", "Message", line("again"));
    push("session", "Spot", pool("new"));
    buffer.flush();
    expect(passed).toEqual(["session 1", "session 2 hello", "session 3 again", "session 4 new"]);
  });

  test("an opening, a close and a result pass at once, after what waits in their topic, and nothing else does", async () => {
    const { push, passed } = openBuffer();
    push("session", "Spot", { ...pool("pool"), size: 20_000 });
    push("chat", "Message", { ...line("hello"), size: 20_000 });
    for (const eventType of ["open_event", "close_event", "resolve"])
      push("session", "Event", { eventType, said: eventType, size: 20_000 });
    expect(await untilPassed(passed, 4)).toEqual([
      "session 1 pool",
      "session 3 open_event",
      "session 4 close_event",
      "session 5 resolve",
    ]);
  });

  test("that all are paid, and what else is new about the session, waits too", async () => {
    const { push, passed } = openBuffer();
    push("session", "Event", { eventType: "pay", said: "pay" });
    push("session", "Session", { eventType: "update", said: "update" });
    push("other", "Session", { eventType: "pause", said: "pause" });
    expect(await untilPassed(passed, 3)).toEqual(["other 3 pause", "session 1 pay", "session 2 update"]);
  });

  test("a turn of the event loop takes a part of the sockets, so that other work is done in between", async () => {
    const { push, passed } = openBuffer();
    const topics = ["first", "second", "third"];
    for (const topic of topics) push(topic, "Event", { eventType: "open_event", size: 900 });
    const seen: number[] = [];
    while (passed.length < topics.length) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(passed.length);
    }
    expect(seen).toEqual([1, 2, 3]);
  });
});

test("where messages take long to pass, what can wait waits for longer, and an opening passes at once with it", async () => {
  const passed: string[] = [];
  const slow = openBuffer({ passMs: 60_000, passed });
  const quick = openBuffer({ passed });
  slow.push("slow", "Spot", pool("first"));
  await untilPassed(passed, 1);
  slow.push("slow", "Spot", pool("second"));
  quick.push("quick", "Spot", pool("other"));
  await untilPassed(passed, 2);
  slow.push("slow", "Event", { eventType: "open_event", said: "open" });
  expect(await untilPassed(passed, 4)).toEqual([
    "slow 1 first",
    "quick 1 other",
    "slow 2 second",
    "slow 3 open",
  ]);
});
