import { expect, test } from "bun:test";
import {
  initialStageState,
  reduceStageState,
  type StageChange,
  type StageSnapshot,
} from "#client/screens/stage/stage-state.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import type { StageMessage } from "#src/show/stage/schemas.ts";
import { buildActionState, buildEvent, inSeconds } from "#tests/client/events/action-states.ts";

const open = buildEvent({ id: 7, state: "open", version: 2 });
const { session, events, leaders, me, playersCount, nextSession } = buildActionState([open]);
const written = (id: number, seconds = 0): StageMessage => ({
  id,
  username: "ana",
  body: `Message ${id}`,
  createdAt: inSeconds(seconds),
});
const snapshotWith = (messages: StageMessage[], asOf = inSeconds(0)): StageSnapshot => {
  const unknown = {
    arrivals: null,
    outcome: null,
    evening: null,
    joinCode: "ABC234",
    joinUrl: "https://example.test/join?code=ABC234",
  };
  return { session, events, leaders, me, playersCount, nextSession, messages, asOf, ...unknown };
};
const chatMessage = (
  message: StageMessage,
  eventType: "create" | "update" | "destroy",
  approvedAt: string | null = null,
): StageChange => ({
  kind: "message",
  message: {
    sourceType: "Message",
    eventType,
    detail: {
      message: {
        ...message,
        sessionId: session.id,
        userId: 1,
        avatar: presentAvatar(null),
        clientId: "c",
        deletedAt: eventType === "destroy" ? inSeconds(5) : null,
        approvedAt,
      },
      version: 1,
      serverTime: inSeconds(5),
    },
  } as const satisfies SessionMessage,
});

test("chat messages are added in their order, and one that is deleted makes room for the one before it", () => {
  let state = initialStageState(snapshotWith([written(1), written(2)]));
  state = reduceStageState(state, chatMessage(written(3), "create"));
  state = reduceStageState(state, chatMessage(written(3), "create"));
  expect(state.messages.map(({ id }) => id)).toEqual([1, 2, 3]);
  state = reduceStageState(state, chatMessage(written(3), "destroy"));
  expect(state.messages.map(({ id }) => id)).toEqual([1, 2]);
});

test("a snapshot replaces the chat, but for what was written since it was read", () => {
  let state = initialStageState(snapshotWith([written(1), written(2)]));
  state = reduceStageState(state, chatMessage(written(4, 9), "create"));
  state = reduceStageState(state, { kind: "snapshot", snapshot: snapshotWith([written(2)], inSeconds(8)) });
  expect(state.messages.map(({ id }) => id)).toEqual([2, 4]);
});

test("while nobody knows who has come, those who were there stay on the board", () => {
  const lobby = { ...snapshotWith([]), session: { ...session, state: "pending" as const } };
  const arrivals = { count: 1, players: [{ userId: 1, username: "ana", picture: null }] };
  const known = initialStageState({ ...lobby, arrivals });
  expect(reduceStageState(known, { kind: "snapshot", snapshot: lobby }).arrivals).toEqual(arrivals);
  const more = { ...arrivals, count: 2 };
  const snapshot = { ...lobby, arrivals: more };
  expect(reduceStageState(known, { kind: "snapshot", snapshot }).arrivals).toEqual(more);
});

test("where messages are approved, one is shown once a host has let it, and under the new name of its player", () => {
  const approving = { ...session, settings: { ...session.settings, chatApproval: true } };
  const known = initialStageState({ ...snapshotWith([]), session: approving });
  const shown = (state: ReturnType<typeof initialStageState>, ...changes: StageChange[]) =>
    changes.reduce(reduceStageState, state).messages.map(({ username, body }) => `${username}: ${body}`);
  const waiting = chatMessage(written(3), "create");
  expect(shown(known, waiting)).toEqual([]);
  const let3 = chatMessage(written(3), "update", inSeconds(6));
  expect(shown(known, waiting, let3)).toEqual(["ana: Message 3"]);
  const renamed = chatMessage({ ...written(3), username: "guest_1" }, "update", inSeconds(6));
  expect(shown(known, waiting, let3, renamed)).toEqual(["guest_1: Message 3"]);
  expect(shown(known, let3, chatMessage(written(3), "destroy"))).toEqual([]);
});
