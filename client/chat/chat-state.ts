import type { MessagesAnswer, MessageView, MuteView } from "#src/play/chat/schemas.ts";

/** A message written on this page that the server has not confirmed. */
export type Draft = {
  clientId: string;
  body: string;
  /** When it was sent, by the server's clock, in milliseconds since 1970. */
  sentAtMs: number;
  /** Why it was not sent; null while it is on its way. */
  failure: string | null;
};

/** A session's chat as this page knows it. */
export type ChatState = {
  viewerId: number;
  /** In the order of their ids, each once. */
  messages: readonly MessageView[];
  /** The `before` parameter that fetches the messages older than these; null where there are none. */
  before: number | null;
  drafts: readonly Draft[];
  muted: MuteView | null;
};

export type ChatAction =
  | { kind: "newestFetched"; answer: MessagesAnswer }
  | { kind: "olderFetched"; answer: MessagesAnswer }
  | { kind: "received"; message: MessageView }
  | { kind: "sent"; draft: Draft }
  | { kind: "failed"; clientId: string; failure: string }
  | { kind: "discarded"; clientId: string };

/** The page holds this many messages. The oldest are dropped, and fetched again when the reader scrolls back. */
const MESSAGES_MAX = 500;

export function createChatState(loaded: { viewerId: number; answer: MessagesAnswer }): ChatState {
  const { viewerId, answer } = loaded;
  const { messages, meta } = answer;
  return { viewerId, messages, before: meta.before, drafts: [], muted: meta.muted };
}

export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  switch (action.kind) {
    case "newestFetched":
      return truncate(removeConfirmed(mergeNewest(state, action.answer), action.answer.messages));
    case "olderFetched":
      return prependOlder(state, action.answer);
    case "received": {
      const messages = merge(state.messages, [action.message]);
      return truncate(removeConfirmed({ ...state, messages }, [action.message]));
    }
    case "sent":
      return { ...state, drafts: [...without(state.drafts, action.draft.clientId), action.draft] };
    case "failed":
      return {
        ...state,
        drafts: state.drafts.map((draft) =>
          draft.clientId === action.clientId ? { ...draft, failure: action.failure } : draft,
        ),
      };
    case "discarded":
      return { ...state, drafts: without(state.drafts, action.clientId) };
  }
}

/** When the viewer sent the last known message, in milliseconds since 1970; null where there is none. */
export function lastSentMs({ viewerId, messages, drafts }: ChatState): number | null {
  const own = messages.findLast(({ userId }) => userId === viewerId);
  const times = drafts.filter(({ failure }) => failure === null).map(({ sentAtMs }) => sentAtMs);
  if (own !== undefined) times.push(Date.parse(own.createdAt));
  return times.length === 0 ? null : Math.max(...times);
}

/** Adds the newest messages. Where a gap lies between them and the known ones, they replace the known ones. */
function mergeNewest(state: ChatState, { messages, meta }: MessagesAnswer): ChatState {
  const [first] = messages;
  const lastKnown = state.messages.at(-1);
  const overlaps =
    first === undefined || lastKnown === undefined || meta.before === null || first.id <= lastKnown.id;
  if (!overlaps) return { ...state, messages, before: meta.before, muted: meta.muted };
  const holdsOlder = (state.messages[0]?.id ?? Infinity) < (first?.id ?? Infinity);
  const before = holdsOlder ? state.before : meta.before;
  return { ...state, messages: merge(state.messages, messages), before, muted: meta.muted };
}

/** An answer to an outdated request changes nothing. */
function prependOlder(state: ChatState, { messages, meta }: MessagesAnswer): ChatState {
  const last = messages.at(-1);
  if (last !== undefined && last.id >= (state.messages[0]?.id ?? Infinity)) return state;
  return { ...state, messages: [...messages, ...state.messages], before: meta.before };
}

/** Each message once, in the order of their ids. A deleted message stays deleted, in whatever order the versions arrive. */
function merge(known: readonly MessageView[], arrived: readonly MessageView[]): readonly MessageView[] {
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of arrived) {
    if ((byId.get(message.id)?.deletedAt ?? null) === null) byId.set(message.id, message);
  }
  return [...byId.values()].toSorted((one, other) => one.id - other.id);
}

function removeConfirmed(state: ChatState, messages: readonly MessageView[]): ChatState {
  const confirmed = new Set(
    messages.filter(({ userId }) => userId === state.viewerId).map(({ clientId }) => clientId),
  );
  return { ...state, drafts: state.drafts.filter(({ clientId }) => !confirmed.has(clientId)) };
}

function truncate(state: ChatState): ChatState {
  if (state.messages.length <= MESSAGES_MAX) return state;
  const messages = state.messages.slice(-MESSAGES_MAX);
  return { ...state, messages, before: messages[0]?.id ?? null };
}

function without(drafts: readonly Draft[], clientId: string): readonly Draft[] {
  return drafts.filter((draft) => draft.clientId !== clientId);
}
