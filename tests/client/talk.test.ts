import { describe, expect, test } from "bun:test";
import {
  changeTalk,
  type Draft,
  lastSaidMs,
  layTalk,
  type Talk,
  type TalkChange,
} from "#client/chat/talk.ts";
import type { MessagesAnswer, MessageView } from "#src/chat/schemas.ts";

const VIEWER = 1;
const noPictures = { default: null, thumb: null, small: null, medium: null, large: null, original: null };

function message(id: number, changes: Partial<MessageView> = {}): MessageView {
  return {
    id,
    sessionId: 1,
    userId: 2,
    username: "ben",
    avatar: noPictures,
    body: `Number ${id}`,
    clientId: `id-${id}`,
    createdAt: new Date(id * 1_000).toISOString(),
    deletedAt: null,
    ...changes,
  };
}
/** The messages from one id to another, as the API answers them. */
function answer(from: number, to: number, before: number | null = null): MessagesAnswer {
  const messages = Array.from({ length: to - from + 1 }, (_, index) => message(from + index));
  return { messages, meta: { before, muted: null, serverTime: "2026-11-21T20:00:00.000Z" } };
}
const lay = (from: number, to: number, before: number | null = null) =>
  layTalk({ viewerId: VIEWER, answer: answer(from, to, before) });
const after = (talk: Talk, ...changes: TalkChange[]) => changes.reduce(changeTalk, talk);
const idsOf = ({ messages }: Talk) => messages.map(({ id }) => id);
const draft = (changes: Partial<Draft> = {}): Draft => ({
  clientId: "mine",
  body: "Hello",
  sentAtMs: 50_000,
  failure: null,
  ...changes,
});

test("what is heard stands in its place, once", () => {
  const talk = after(
    lay(1, 2),
    { kind: "heard", message: message(4) },
    { kind: "heard", message: message(3) },
    { kind: "heard", message: message(4) },
  );
  expect(idsOf(talk)).toEqual([1, 2, 3, 4]);
});

test("what was removed stays so, whichever news comes last", () => {
  const removed = message(2, { body: "", deletedAt: "2026-11-21T20:00:00.000Z" });
  const talk = after(
    lay(1, 3),
    { kind: "heard", message: removed },
    { kind: "looked", answer: answer(1, 3) },
  );
  expect(talk.messages[1]).toEqual(removed);
});

describe("after a cut the newest are looked at again", () => {
  test("where they reach what is known, all of it stays", () => {
    const talk = after(lay(1, 5), { kind: "looked", answer: answer(4, 8, 4) });
    expect([idsOf(talk), talk.before]).toEqual([[1, 2, 3, 4, 5, 6, 7, 8], null]);
  });
  test("where they do not, they take its place, so that there is no hole", () => {
    const talk = after(lay(1, 5), { kind: "looked", answer: answer(9, 12, 9) });
    expect([idsOf(talk), talk.before]).toEqual([[9, 10, 11, 12], 9]);
  });
  test("what was heard since they were looked up stays", () => {
    const talk = after(
      lay(1, 2),
      { kind: "heard", message: message(4) },
      { kind: "looked", answer: answer(1, 3) },
    );
    expect(idsOf(talk)).toEqual([1, 2, 3, 4]);
  });
});

test("older ones stand before, and an answer that comes twice changes nothing", () => {
  const talk = after(lay(4, 6, 4), { kind: "older", answer: answer(2, 3, 2) });
  expect([idsOf(talk), talk.before]).toEqual([[2, 3, 4, 5, 6], 2]);
  expect(after(talk, { kind: "older", answer: answer(2, 3, 2) })).toEqual(talk);
});

test("at most 500 stay, and the others are asked for again", () => {
  const talk = after(lay(1, 500), { kind: "heard", message: message(501) });
  expect([talk.messages.length, talk.messages[0]?.id, talk.before]).toEqual([500, 2, 2]);
});

test("what is on its way becomes a message when it is heard, by its client id, and only one's own", () => {
  const sent = after(lay(1, 1), { kind: "sent", draft: draft() });
  const others = after(sent, { kind: "heard", message: message(2, { clientId: "mine" }) });
  expect(others.drafts).toHaveLength(1);
  const arrived = message(3, { userId: VIEWER, clientId: "mine" });
  expect(after(sent, { kind: "heard", message: arrived }).drafts).toEqual([]);
  const looked = { ...answer(1, 1), messages: [message(1), arrived] };
  expect(after(sent, { kind: "looked", answer: looked }).drafts).toEqual([]);
});

test("what failed stays with its reason, is sent again as the same, or goes", () => {
  const failed = after(
    lay(1, 1),
    { kind: "sent", draft: draft() },
    { kind: "failed", clientId: "mine", failure: "Say it without that." },
  );
  expect(failed.drafts).toEqual([draft({ failure: "Say it without that." })]);
  expect(after(failed, { kind: "sent", draft: draft({ sentAtMs: 60_000 }) }).drafts).toEqual([
    draft({ sentAtMs: 60_000 }),
  ]);
  expect(after(failed, { kind: "dropped", clientId: "mine" }).drafts).toEqual([]);
});

test("the wait counts from what was said last, or is on its way; what failed does not count", () => {
  expect(lastSaidMs(lay(1, 3))).toBeNull();
  const own = after(lay(1, 3), { kind: "heard", message: message(4, { userId: VIEWER }) });
  expect(lastSaidMs(own)).toBe(4_000);
  const sent = after(own, { kind: "sent", draft: draft() });
  expect(lastSaidMs(sent)).toBe(50_000);
  expect(lastSaidMs(after(sent, { kind: "failed", clientId: "mine", failure: "No" }))).toBe(4_000);
});
