import { expect, test } from "bun:test";
import { StreamFollower } from "#client/base/live/stream-follower.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";

type NumberedMessage = { sourceType: string; number: number };

function follow(offset: StreamOffset | null) {
  const received = { numbers: [] as number[], requests: [] as (StreamOffset | null)[], missed: 0 };
  const follower = new StreamFollower<NumberedMessage>(offset, {
    deliver: ({ number }) => void received.numbers.push(number),
    requestSince: (after) => void received.requests.push(after),
    missed: () => void (received.missed += 1),
    caughtUp: () => undefined,
  });
  const send = (...offsets: number[]) => {
    for (const offset of offsets) follower.received({ ...at(offset), sourceType: "Spot", number: offset });
  };
  return { follower, received, send };
}
const at = (offset: number, epoch = "one"): StreamOffset => ({ epoch, offset });

test("messages after the offset are delivered at once, earlier ones are dropped", () => {
  const { follower, received, send } = follow(at(4));
  follower.connected();
  expect(received.requests).toEqual([at(4)]);
  send(3, 4, 5, 5, 6);
  follower.received({ caughtUp: at(6) });
  send(6, 7);
  expect(received).toEqual({ numbers: [5, 6, 7], requests: [at(4)], missed: 0 });
});

test("messages ahead of the offset are requested if the answer does not contain them", () => {
  const { follower, received, send } = follow(at(0));
  follower.connected();
  send(3, 4);
  expect(received.numbers).toEqual([]);
  send(1, 2, 3);
  follower.received({ caughtUp: at(3) });
  expect(received.requests).toEqual([at(0), at(3)]);
  send(4);
  follower.received({ caughtUp: at(4) });
  send(5);
  expect(received).toEqual({ numbers: [1, 2, 3, 4, 5], requests: [at(0), at(3)], missed: 0 });
});

test("after a gap in the history the page reloads once, and continues from the stream's offset", () => {
  const { follower, received, send } = follow(at(2));
  follower.connected();
  send(50);
  follower.received({ gap: true, ...at(50) });
  send(51);
  expect(received).toEqual({ numbers: [51], requests: [at(2)], missed: 1 });
});

test("a page without an offset gets it from the first answer", () => {
  const { follower, received, send } = follow(null);
  follower.connected();
  send(8);
  follower.received({ gap: true, ...at(8) });
  send(9);
  expect(received).toEqual({ numbers: [9], requests: [null], missed: 1 });
});

test("another epoch is a gap", () => {
  const { follower, received } = follow(at(9));
  follower.connected();
  follower.received({ caughtUp: at(9) });
  follower.received({ ...at(1, "two"), sourceType: "Spot", number: 100 });
  expect(received).toEqual({ numbers: [], requests: [at(9), at(9)], missed: 0 });
  follower.received({ gap: true, ...at(1, "two") });
  follower.received({ ...at(2, "two"), sourceType: "Spot", number: 101 });
  expect(received).toMatchObject({ numbers: [101], missed: 1 });
});

test("a message with an offset only is counted and not delivered", () => {
  const { follower, received, send } = follow(at(0));
  follower.connected();
  follower.received(at(1));
  send(2);
  expect(received.numbers).toEqual([2]);
});
