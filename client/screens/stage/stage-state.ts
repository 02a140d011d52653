import {
  type ActionSnapshot,
  type ActionState,
  initialActionState,
  type OwnActionChange,
  reduceActionState,
} from "#client/events/action-state.ts";
import type { LiveChange } from "#client/sessions/use-live-session.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { StageAnswer, StageMessage } from "#src/show/stage/schemas.ts";

/** How many messages are kept, so that the one before a deleted one is known. */
const MESSAGES_MAX = 8;

type OwnParts = Pick<
  StageAnswer,
  "arrivals" | "outcome" | "decisions" | "evening" | "joinCode" | "joinUrl"
> & {
  messages: readonly StageMessage[];
};
/** The state of the big screen: that of the Action page, who has come, when results were decided, how the last one went, how to join, and the newest chat messages. */
export type StageState = ActionState & OwnParts;
export type StageSnapshot = ActionSnapshot & OwnParts;
export type StageChange = LiveChange<StageSnapshot> | OwnActionChange;

export function initialStageState(snapshot: StageSnapshot): StageState {
  return { ...snapshot, ...initialActionState(snapshot) };
}

/** The state after a change. The game is reduced by the Action page's own reducer, so both show the same. */
export function reduceStageState(state: StageState, change: StageChange): StageState {
  const messages = reduceMessages(state.messages, change, state.session.settings.chatApproval);
  if (change.kind !== "snapshot") return { ...state, ...reduceActionState(state, change), messages };
  const { snapshot } = change;
  return {
    ...snapshot,
    ...reduceActionState(state, { kind: "snapshot", snapshot }),
    // While nobody knows who has come, those who were there are shown.
    arrivals: snapshot.arrivals ?? state.arrivals,
    messages,
  };
}

/** @param approval only what a host has let is shown. */
function reduceMessages(
  known: readonly StageMessage[],
  change: StageChange,
  approval: boolean,
): readonly StageMessage[] {
  if (change.kind === "message") return withMessage(known, change.message, approval);
  if (change.kind !== "snapshot") return known;
  const { asOf, messages } = change.snapshot;
  // Messages that came while the snapshot was fetched are newer than it.
  const since = known.filter(({ createdAt }) => Date.parse(createdAt) > Date.parse(asOf));
  return newest([...messages, ...since]);
}

function withMessage(
  known: readonly StageMessage[],
  message: SessionMessage,
  approval: boolean,
): readonly StageMessage[] {
  if (message.sourceType !== "Message" || message.eventType === "refuse") return known;
  const { id, username, body, createdAt, deletedAt, approvedAt } = message.detail.message;
  const others = known.filter((each) => each.id !== id);
  const isShown = deletedAt === null && (!approval || approvedAt !== null);
  return isShown ? newest([...others, { id, username, body, createdAt }]) : others;
}

/** Each once, in the order of their ids. */
function newest(messages: readonly StageMessage[]): readonly StageMessage[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return [...byId.values()].toSorted((one, other) => one.id - other.id).slice(-MESSAGES_MAX);
}
