import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";

/** How an event really is, whatever the page shows. */
export type TrueClose = { isOpen: boolean; leftMs: number };

type Known = Pick<EventView, "state" | "closesAt" | "openedAt" | "version">;

/**
 * Remembers how the events really are: from everything that comes from the server, before the page shows it. Only whether an
 * event takes calls is ever read from it.
 */
export function createTrueState() {
  const events = new Map<number, Known>();
  const sessions = new Map<number, Pick<SessionView, "state" | "version">>();
  const learnEvent = ({ id, state, closesAt, openedAt, version }: EventView) => {
    if (version >= (events.get(id)?.version ?? 0)) events.set(id, { state, closesAt, openedAt, version });
  };
  const learnSession = ({ id, state, version }: SessionView) => {
    if (version >= (sessions.get(id)?.version ?? 0)) sessions.set(id, { state, version });
  };
  return {
    /** Takes a message of the session's stream; others are ignored. */
    learnMessage: (message: object) => {
      if (!isSessionMessage(message)) return;
      if (message.sourceType === "Event") learnEvent(message.detail.event);
      else if (message.sourceType === "Session" && message.eventType !== "destroy")
        learnSession(message.detail.session);
    },
    /** Takes an answer of the API: a list of events, or a session. */
    learnAnswer: (answer: unknown) => {
      if (hasEvents(answer)) answer.events.forEach(learnEvent);
      if (hasSession(answer)) learnSession(answer.session);
    },
    /**
     * When calls really close on an event that the page shows as open. An event that was opened again meanwhile is another round,
     * and takes no calls of this one.
     */
    closeOf: (shown: EventView, nowMs: number): TrueClose => {
      const known = events.get(shown.id);
      const current = known !== undefined && known.version > shown.version ? known : shown;
      const leftMs = Date.parse(current.closesAt ?? "") - nowMs;
      const isHalted = (sessions.get(shown.sessionId ?? 0)?.state ?? "running") !== "running";
      const isSameRound = current.openedAt === shown.openedAt;
      return { isOpen: current.state === "open" && isSameRound && !isHalted && !(leftMs <= 0), leftMs };
    },
  };
}

/** The cable brings messages of the user's and of the session's stream; both name their source. */
function isSessionMessage(message: object): message is SessionMessage {
  return "sourceType" in message && (message.sourceType === "Event" || message.sourceType === "Session");
}

function hasEvents(answer: unknown): answer is { events: EventView[] } {
  return isObject(answer) && "events" in answer && Array.isArray(answer.events);
}

function hasSession(answer: unknown): answer is { session: SessionView } {
  return isObject(answer) && "session" in answer && isObject(answer.session);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
