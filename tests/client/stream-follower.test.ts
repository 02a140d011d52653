import { expect, test } from "bun:test";
import { StreamFollower } from "#client/stream-follower.ts";
import type { StreamOffset } from "#src/streams/contract.ts";

type Said = { sourceType: string; number: number };

function follow(place: StreamOffset | null) {
  const heard = { numbers: [] as number[], asked: [] as (StreamOffset | null)[], missed: 0 };
  const following = new StreamFollower<Said>(place, {
    deliver: ({ number }) => void heard.numbers.push(number),
    requestSince: (after) => void heard.asked.push(after),
    missed: () => void (heard.missed += 1),
  });
  const say = (...offsets: number[]) => {
    for (const offset of offsets) following.received({ ...at(offset), sourceType: "Spot", number: offset });
  };
  return { following, heard, say };
}
const at = (offset: number, epoch = "one"): StreamOffset => ({ epoch, offset });

test("what follows its place is passed on at once; what was heard before is not", () => {
  const { following, heard, say } = follow(at(4));
  following.connected();
  expect(heard.asked).toEqual([at(4)]);
  say(3, 4, 5, 5, 6);
  following.received({ caughtUp: at(6) });
  say(6, 7);
  expect(heard).toEqual({ numbers: [5, 6, 7], asked: [at(4)], missed: 0 });
});

test("what comes too early is asked for when it is not in the answer", () => {
  const { following, heard, say } = follow(at(0));
  following.connected();
  say(3, 4);
  expect(heard.numbers).toEqual([]);
  say(1, 2, 3);
  following.received({ caughtUp: at(3) });
  expect(heard.asked).toEqual([at(0), at(3)]);
  say(4);
  following.received({ caughtUp: at(4) });
  say(5);
  expect(heard).toEqual({ numbers: [1, 2, 3, 4, 5], asked: [at(0), at(3)], missed: 0 });
});

test("a hole in the middle of things is asked about, once", () => {
  const { following, heard, say } = follow(at(0));
  following.connected();
  following.received({ caughtUp: at(0) });
  say(1, 3, 4);
  expect(heard).toEqual({ numbers: [1], asked: [at(0), at(1)], missed: 0 });
  say(2, 3, 4);
  following.received({ caughtUp: at(4) });
  expect(heard.numbers).toEqual([1, 2, 3, 4]);
});

test("after a gap the page looks once, and goes on from where the stream stands", () => {
  const { following, heard, say } = follow(at(2));
  following.connected();
  say(50);
  following.received({ gap: true, ...at(50) });
  say(51);
  expect(heard).toEqual({ numbers: [51], asked: [at(2)], missed: 1 });
});

test("a page that nobody told its place learns it first", () => {
  const { following, heard, say } = follow(null);
  following.connected();
  say(8);
  following.received({ gap: true, ...at(8) });
  say(9);
  expect(heard).toEqual({ numbers: [9], asked: [null], missed: 1 });
});

test("another epoch is a gap", () => {
  const { following, heard } = follow(at(9));
  following.connected();
  following.received({ caughtUp: at(9) });
  following.received({ ...at(1, "two"), sourceType: "Spot", number: 100 });
  expect(heard).toEqual({ numbers: [], asked: [at(9), at(9)], missed: 0 });
  following.received({ gap: true, ...at(1, "two") });
  following.received({ ...at(2, "two"), sourceType: "Spot", number: 101 });
  expect(heard).toMatchObject({ numbers: [101], missed: 1 });
});

test("one that only says its place is counted and shown to nobody", () => {
  const { following, heard, say } = follow(at(0));
  following.connected();
  following.received(at(1));
  say(2);
  expect(heard.numbers).toEqual([2]);
});
