import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useView } from "#client/events/view.ts";
import { type ReactionKind, reactionKinds } from "#db/lists/reactions.ts";
import { reactionTexts } from "./phone-texts.ts";
import { ReactionIcon } from "./reaction-icon.tsx";
import { type ReactionCounts, useReact, useReactionCounts } from "./use-reactions.ts";

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
        <span className="vh">{reactionTexts.toggle(counts)}</span>
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
  useEffect(() => {
    if (note === null) return;
    const timer = setTimeout(() => setNote(null), NOTE_MS);
    return () => clearTimeout(timer);
  }, [note]);
  const send = (kind: ReactionKind) => void react(kind).then(setNote);
  return (
    <div className="reaction-row" role="group" aria-label={reactionTexts.group}>
      {reactionKinds.map((kind) => (
        <button key={kind} type="button" onClick={() => send(kind)}>
          <ReactionIcon kind={kind} />
          <span>{reactionTexts.kinds[kind]}</span>
        </button>
      ))}
      <p className="small" role="status">
        {note}
      </p>
    </div>
  );
}
