import { expect, test } from "bun:test";
import { withoutSpoiler } from "#client/install/worker/without-spoiler.ts";

const result = {
  title: "You called it: +$3.04",
  body: "Will it rain?",
  url: "/sessions/derby",
  tag: "results-7",
};
const refund = {
  title: "Refunded $5.00",
  body: "Will it snow?",
  url: "/sessions/derby",
  tag: "notification-9",
};
const live = {
  title: "Derby is live",
  body: "The first action opens.",
  url: "/sessions/derby",
  tag: "live-7",
};

test("with a stream delay no word or amount of a result is in a message, and it opens the same page", () => {
  for (const message of [result, refund]) {
    expect(withoutSpoiler(message, 40)).toEqual({
      title: "There is news in your session",
      body: "Open it to see what, with your stream delay.",
      url: message.url,
      tag: message.tag,
    });
  }
});

test("that a session is live is said in any case, and without a delay everything", () => {
  expect(withoutSpoiler(live, 40)).toEqual(live);
  for (const message of [result, refund, live]) expect(withoutSpoiler(message, 0)).toEqual(message);
});
