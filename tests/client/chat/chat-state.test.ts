import { expect, test } from "bun:test";
import {
  chatReducer,
  type Draft,
  lastSentMs,
  createChatState,
  type ChatState,
  type ChatAction,
} from "#client/chat/chat-state.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import type { MessagesAnswer, MessageView } from "#src/play/chat/schemas.ts";

const VIEWER = 1;
const noPictures = presentAvatar(null);

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
    approvedAt: null,
    ...changes,
  };
}
/** The API's answer with the messages from one id to another. */
function answer(from: number, to: number, before: number | null = null): MessagesAnswer {
  const messages = Array.from({ length: to - from + 1 }, (_, index) => message(from + index));
  return { messages, meta: { before, muted: null, serverTime: "2026-11-21T20:00:00.000Z" } };
}
const stateOf = (from: number, to: number, before: number | null = null) =>
  createChatState({ viewerId: VIEWER, answer: answer(from, to, before) });
const after = (state: ChatState, ...actions: ChatAction[]) => actions.reduce(chatReducer, state);
const idsOf = ({ messages }: ChatState) => messages.map(({ id }) => id);
const draft = (changes: Partial<Draft> = {}): Draft => ({
  clientId: "mine",
  body: "Hello",
  sentAtMs: 50_000,
  failure: null,
  ...changes,
});

test("a removed message stays removed, in whatever order its versions arrive", () => {
  const removed = message(2, { body: "", deletedAt: "2026-11-21T20:00:00.000Z" });
  const state = after(
    stateOf(1, 3),
    { kind: "received", message: removed },
    { kind: "newestFetched", answer: answer(1, 3) },
  );
  expect(state.messages[1]).toEqual(removed);
});

test("after a reconnect the newest messages are fetched: where they overlap the known ones, all are kept", () => {
  const state = after(stateOf(1, 5), { kind: "newestFetched", answer: answer(4, 8, 4) });
  expect([idsOf(state), state.before]).toEqual([[1, 2, 3, 4, 5, 6, 7, 8], null]);
});
test("after a reconnect the newest messages are fetched: where a gap lies between, they replace the known ones", () => {
  const state = after(stateOf(1, 5), { kind: "newestFetched", answer: answer(9, 12, 9) });
  expect([idsOf(state), state.before]).toEqual([[9, 10, 11, 12], 9]);
});

test("older messages are put before, and a repeated answer changes nothing", () => {
  const state = after(stateOf(4, 6, 4), { kind: "olderFetched", answer: answer(2, 3, 2) });
  expect([idsOf(state), state.before]).toEqual([[2, 3, 4, 5, 6], 2]);
  expect(after(state, { kind: "olderFetched", answer: answer(2, 3, 2) })).toEqual(state);
});

test("at most 500 messages are kept; older ones can be fetched again", () => {
  const state = after(stateOf(1, 500), { kind: "received", message: message(501) });
  expect([state.messages.length, state.messages[0]?.id, state.before]).toEqual([500, 2, 2]);
});

test("a draft becomes a message by its client id, and only for its author", () => {
  const sent = after(stateOf(1, 1), { kind: "sent", draft: draft() });
  const others = after(sent, { kind: "received", message: message(2, { clientId: "mine" }) });
  expect(others.drafts).toHaveLength(1);
  const arrived = message(3, { userId: VIEWER, clientId: "mine" });
  expect(after(sent, { kind: "received", message: arrived }).drafts).toEqual([]);
  const fetched = { ...answer(1, 1), messages: [message(1), arrived] };
  expect(after(sent, { kind: "newestFetched", answer: fetched }).drafts).toEqual([]);
});

test("a failed draft keeps its reason, is sent again under the same id, or is discarded", () => {
  const failed = after(
    stateOf(1, 1),
    { kind: "sent", draft: draft() },
    { kind: "failed", clientId: "mine", failure: "Say it without that." },
  );
  expect(failed.drafts).toEqual([draft({ failure: "Say it without that." })]);
  expect(after(failed, { kind: "sent", draft: draft({ sentAtMs: 60_000 }) }).drafts).toEqual([
    draft({ sentAtMs: 60_000 }),
  ]);
  expect(after(failed, { kind: "discarded", clientId: "mine" }).drafts).toEqual([]);
});

test("the wait counts from the last message sent or on its way, not from a failed one", () => {
  expect(lastSentMs(stateOf(1, 3))).toBeNull();
  const own = after(stateOf(1, 3), { kind: "received", message: message(4, { userId: VIEWER }) });
  expect(lastSentMs(own)).toBe(4_000);
  const sent = after(own, { kind: "sent", draft: draft() });
  expect(lastSentMs(sent)).toBe(50_000);
  expect(lastSentMs(after(sent, { kind: "failed", clientId: "mine", failure: "No" }))).toBe(4_000);
});
