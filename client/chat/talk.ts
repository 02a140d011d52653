import type { MessagesAnswer, MessageView, MuteView } from "#src/chat/schemas.ts";

/** What was said on this page and is not known to have arrived. */
export type Draft = {
  clientId: string;
  body: string;
  /** When it was sent, by the server's clock, in milliseconds since 1970. */
  sentAtMs: number;
  /** Why it did not arrive; null while it is on its way. */
  failure: string | null;
};

/** What is known of a session's chat on this page. */
export type Talk = {
  viewerId: number;
  /** In the order in which they were written, each once. */
  messages: readonly MessageView[];
  /** What asks for those before them; null where there are none. */
  before: number | null;
  drafts: readonly Draft[];
  muted: MuteView | null;
};

export type TalkChange =
  | { kind: "looked"; answer: MessagesAnswer }
  | { kind: "older"; answer: MessagesAnswer }
  | { kind: "heard"; message: MessageView }
  | { kind: "sent"; draft: Draft }
  | { kind: "failed"; clientId: string; failure: string }
  | { kind: "dropped"; clientId: string };

/** So many stay on the page; the oldest go, and are asked for again by whoever scrolls back. */
const MESSAGES_MAX = 500;

export function layTalk({ viewerId, answer }: { viewerId: number; answer: MessagesAnswer }): Talk {
  const { messages, meta } = answer;
  return { viewerId, messages, before: meta.before, drafts: [], muted: meta.muted };
}

/** The chat after something was heard, asked for or said. */
export function changeTalk(talk: Talk, change: TalkChange): Talk {
  switch (change.kind) {
    case "looked":
      return shorten(arrive(takeNewest(talk, change.answer), change.answer.messages));
    case "older":
      return takeOlder(talk, change.answer);
    case "heard":
      return shorten(arrive({ ...talk, messages: merge(talk.messages, [change.message]) }, [change.message]));
    case "sent":
      return { ...talk, drafts: [...without(talk.drafts, change.draft.clientId), change.draft] };
    case "failed":
      return {
        ...talk,
        drafts: talk.drafts.map((draft) =>
          draft.clientId === change.clientId ? { ...draft, failure: change.failure } : draft,
        ),
      };
    case "dropped":
      return { ...talk, drafts: without(talk.drafts, change.clientId) };
  }
}

/** When the viewer last said something, in milliseconds since 1970; null: not as far as is known. */
export function lastSaidMs({ viewerId, messages, drafts }: Talk): number | null {
  const own = messages.findLast(({ userId }) => userId === viewerId);
  const times = drafts.filter(({ failure }) => failure === null).map(({ sentAtMs }) => sentAtMs);
  if (own !== undefined) times.push(Date.parse(own.createdAt));
  return times.length === 0 ? null : Math.max(...times);
}

/** The newest, looked up after something may have been missed. Where they do not reach what is known, they take its place. */
function takeNewest(talk: Talk, { messages, meta }: MessagesAnswer): Talk {
  const [first] = messages;
  const lastKnown = talk.messages.at(-1);
  const reaches =
    first === undefined || lastKnown === undefined || meta.before === null || first.id <= lastKnown.id;
  if (!reaches) return { ...talk, messages, before: meta.before, muted: meta.muted };
  const holdsOlder = (talk.messages[0]?.id ?? Infinity) < (first?.id ?? Infinity);
  const before = holdsOlder ? talk.before : meta.before;
  return { ...talk, messages: merge(talk.messages, messages), before, muted: meta.muted };
}

/** An answer to a question that is no longer asked changes nothing. */
function takeOlder(talk: Talk, { messages, meta }: MessagesAnswer): Talk {
  const last = messages.at(-1);
  if (last !== undefined && last.id >= (talk.messages[0]?.id ?? Infinity)) return talk;
  return { ...talk, messages: [...messages, ...talk.messages], before: meta.before };
}

/** Each once, in order. What was deleted stays deleted, whichever news comes last. */
function merge(known: readonly MessageView[], news: readonly MessageView[]): readonly MessageView[] {
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of news) {
    if ((byId.get(message.id)?.deletedAt ?? null) === null) byId.set(message.id, message);
  }
  return [...byId.values()].toSorted((one, other) => one.id - other.id);
}

/** What was on its way and has arrived is a message now. */
function arrive(talk: Talk, messages: readonly MessageView[]): Talk {
  const arrived = new Set(
    messages.filter(({ userId }) => userId === talk.viewerId).map(({ clientId }) => clientId),
  );
  return { ...talk, drafts: talk.drafts.filter(({ clientId }) => !arrived.has(clientId)) };
}

function shorten(talk: Talk): Talk {
  if (talk.messages.length <= MESSAGES_MAX) return talk;
  const messages = talk.messages.slice(-MESSAGES_MAX);
  return { ...talk, messages, before: messages[0]?.id ?? null };
}

function without(drafts: readonly Draft[], clientId: string): readonly Draft[] {
  return drafts.filter((draft) => draft.clientId !== clientId);
}
