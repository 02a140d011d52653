import { type KeyboardEvent, useCallback, useRef, useState } from "react";
import { ApiError } from "#client/base/api/api.ts";
import { useAfter } from "#client/base/browser/use-after.ts";
import { serverNow } from "#client/base/live/clock.ts";
import { useSessionMessages } from "#client/base/live/use-session-messages.ts";
import { useApi } from "#client/base/page/context.ts";
import { useView } from "#client/events/view.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { refusalText } from "#client/ui/forms/refused.ts";
import { type ReactionKind, reactionKinds } from "#db/lists/reactions.ts";

const reactionWords: Record<ReactionKind, string> = {
  love: "Love",
  fire: "Fire",
  laugh: "Laugh",
  wow: "Wow",
  ouch: "Ouch",
};

/** "React. Just now: Love 3, Wow 1" */
function toggleText(counts: ReactionCounts | null): string {
  const sent = reactionKinds.flatMap((kind) => {
    const count = counts?.[kind] ?? 0;
    return count === 0 ? [] : `${reactionWords[kind]} ${count}`;
  });
  return sent.length === 0 ? "React" : `React. Just now: ${sent.join(", ")}`;
}

/** Counts are shown this long, and older ones, which a page gets after it was disconnected, are not. */
const SHOWN_MS = 6_000;

const FACE = "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18ZM9 9.5v.1M15 9.5v.1";

const paths: Record<ReactionKind | "any", string> = {
  any: `${FACE}M8.5 14q3.5 3 7 0`,
  love: "M12 20L4 11.5a4.6 4.6 0 0 1 8-5a4.6 4.6 0 0 1 8 5z",
  fire: "M12 21a6.5 6.5 0 0 1-6.5-6.5C5.5 10 10 8.5 10 3q6 3 5.5 7q1-.5 1.5-2q1.5 3 1.5 6.5A6.5 6.5 0 0 1 12 21z",
  laugh: `${FACE}M7.5 13h9a4.5 4.5 0 0 1-9 0z`,
  wow: `${FACE}M12 13.5a2 2 0 1 0 0 4a2 2 0 0 0 0-4z`,
  ouch: `${FACE}M8.5 16l2-2l1.5 2l1.5-2l2 2`,
};

const NOTE_MS = 4_000;
const COUNT_SHOWN_MAX = 99;

/**
 * At the end of the ticker: what others react with, as a quiet count, and a button that turns the ticker into a row of reactions.
 * Nothing moves for it, and a refused call is always to be read there instead.
 */
export function Reactions() {
  const { state, placing } = useView();
  const counts = useReactionCounts(state.session.id);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (state.session.state === "stopped") return null;
  const shown = open && placing.refusal === null;
  const leave = ({ key }: KeyboardEvent) => {
    if (key !== "Escape") return;
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className={shown ? "reactions choosing" : "reactions"} onKeyDown={leave}>
      <button
        className="reactions-toggle"
        type="button"
        ref={button}
        aria-expanded={shown}
        onClick={() => setOpen(!shown)}
      >
        <Counted counts={counts} />
        <span className="vh">{toggleText(counts)}</span>
      </button>
      {/* After the button that opens it, for those who go on by key or by ear. */}
      {shown ? <ReactionRow /> : null}
    </div>
  );
}

/** The kind that was sent most, and how many there were in all. */
function Counted({ counts }: { counts: ReactionCounts | null }) {
  const sent = reactionKinds.map((kind) => ({ kind, count: counts?.[kind] ?? 0 }));
  const total = sent.reduce((sum, { count }) => sum + count, 0);
  const [most] = sent.toSorted((one, other) => other.count - one.count);
  if (total === 0 || most === undefined) return <ReactionIcon kind="any" />;
  return (
    // The key restarts the animation with each message.
    <span className="counted num" aria-hidden="true" key={JSON.stringify(counts)}>
      <ReactionIcon kind={most.kind} />
      <span>{total > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : total}</span>
    </span>
  );
}

/** A button for each kind. A refusal is shown in its place for a moment. */
export function ReactionRow() {
  const { state } = useView();
  const react = useReact(state.session.slug);
  const [note, setNote] = useState<string | null>(null);
  useAfter(NOTE_MS, note, () => setNote(null));
  const send = (kind: ReactionKind) => void react(kind).then(setNote);
  return (
    <div className="reaction-row" role="group" aria-label="React">
      {reactionKinds.map((kind) => (
        <button key={kind} type="button" onClick={() => send(kind)}>
          <ReactionIcon kind={kind} />
          <span>{reactionWords[kind]}</span>
        </button>
      ))}
      <p className="small" role="status">
        {note}
      </p>
    </div>
  );
}

/** The drawing of a kind of reaction, or of reactions in general. A word says the same. */
function ReactionIcon({ kind }: { kind: ReactionKind | "any" }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={paths[kind]}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}

type ReactionCounts = Partial<Record<ReactionKind, number>>;

/** The newest counts of the session's reactions; null when there were none for a while. */
function useReactionCounts(sessionId: number): ReactionCounts | null {
  const [counts, setCounts] = useState<ReactionCounts | null>(null);
  useSessionMessages(sessionId, {
    received: ({ sourceType, detail }) => {
      if (sourceType !== "Reaction") return;
      if (serverNow() - Date.parse(detail.serverTime) <= SHOWN_MS) setCounts(detail.counts);
    },
  });
  useAfter(SHOWN_MS, counts, () => setCounts(null));
  return counts;
}

/** @returns sends a reaction, and resolves to why it was refused; null where it was sent. */
function useReact(slug: string): (kind: ReactionKind) => Promise<string | null> {
  const api = useApi();
  return useCallback(
    async (kind) => {
      try {
        await api.post(`${sessionPath(slug)}/reactions`, { reaction: { kind } });
        return null;
      } catch (error) {
        // A reaction that cannot be sent now is not worth a word.
        return error instanceof ApiError ? refusalText(error) : null;
      }
    },
    [api, slug],
  );
}
