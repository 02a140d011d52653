import { useEffect, useRef } from "react";
import { couldPayCents, isUnopposed } from "#client/events/estimate.ts";
import { amountOf, isWager, useWager } from "#client/events/use-wager.ts";
import { useView, type View } from "#client/events/view.ts";
import type { Side } from "#db/lists/spots.ts";
import { say } from "#src/http/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { formatMoney } from "../base/format/money.ts";

const pot = (potCents: number) =>
  potCents === 0
    ? "All wagers go into one pot. It is empty now."
    : `All wagers are one pot: ${formatMoney(potCents)} now.`;
/** @param own the player's wagers are in the pot already. */
const shareText = ({ label, ownCents, winningCents, payCents }: Share, own: boolean) => {
  const wager = own ? `your ${formatMoney(ownCents)}` : `${formatMoney(ownCents)} more`;
  const of = ownCents === winningCents ? "" : ` of ${formatMoney(winningCents)} there`;
  return say`If it is ${label}, those who called it share the pot: ${wager}${of} could pay ${formatMoney(payCents)}.`;
};

const WIDTH = 320;
const BAR = 34;
const GAP = 3;
const LETTERS_PX = 8;
const LABEL_MAX = 25;

/** What a call can win, in three sentences and a drawing of the pot, with the numbers of this moment. */
export function PaysDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const view = useView();
  const example = exampleOf(view, amountOf(useWager()));
  return (
    <dialog className="dialog" ref={dialog} onClose={onClose} aria-labelledby="pays-title">
      <h2 id="pays-title">What a call can win</h2>
      {example === null ? null : <Explained {...example} />}
      <form method="dialog">
        <button className="btn primary wide" type="submit">
          Got it
        </button>
      </form>
    </dialog>
  );
}

type Example = {
  pool: EventView["pool"];
  side: Side;
  label: string;
  /** The player's wagers on the side, or the one that could be next. */
  ownCents: number;
  isPlaced: boolean;
};

/** The side that the player has called, or else what the chosen wager would do on the first one. */
function exampleOf({ event, viewerCalls }: View, amount: ReturnType<typeof amountOf>): Example | null {
  if (event === null) return null;
  const latest = viewerCalls?.latest ?? null;
  const side = latest?.side ?? "true";
  const placedCents = viewerCalls?.wageredCents[side] ?? 0;
  return {
    pool: event.pool,
    side,
    label: side === "true" ? event.trueLabel : event.falseLabel,
    ownCents: latest === null && isWager(amount) ? amount : placedCents,
    isPlaced: latest !== null,
  };
}

function Explained(example: Example) {
  const { pool, side, label, ownCents, isPlaced } = example;
  const onSideCents = side === "true" ? pool.trueCents : pool.falseCents;
  const winningCents = isPlaced ? onSideCents : onSideCents + ownCents;
  const payCents = couldPayCents(pool, side, isPlaced ? { ownCents } : { ownCents: 0, moreCents: ownCents });
  const isShared = !isUnopposed(pool, side) && ownCents > 0;
  return (
    <>
      <p>{pot(pool.totalCents)}</p>
      <p>
        {isShared
          ? shareText({ label, ownCents, winningCents, payCents }, isPlaced)
          : "Those who are right share it, by what each has put in: you win what the others put against you."}
      </p>
      {isShared ? <Drawing {...example} payCents={payCents} /> : null}
      <p>Each call until the close changes that. If nobody takes the other side, you have your wager back.</p>
    </>
  );
}

/** The pot as its two sides, and below it the same pot as it would be shared. The sentences say the same. */
function Drawing({ pool, side, label, ownCents, isPlaced, payCents }: Example & { payCents: number }) {
  const totalCents = pool.totalCents + (isPlaced ? 0 : ownCents);
  const trueCents = pool.trueCents + (isPlaced || side === "false" ? 0 : ownCents);
  const trueWidth = widthOf(trueCents / totalCents);
  const ownWidth = widthOf(payCents / totalCents);
  const isAll = payCents === totalCents;
  return (
    <svg
      className="pot"
      viewBox={`0 0 ${WIDTH} 124`}
      aria-hidden="true"
      fontSize="13"
      fontWeight="640"
      fill="currentColor"
    >
      <text y="13">The pot now</text>
      <rect y="20" width={trueWidth} height={BAR} rx="6" fill="var(--true)" />
      <rect
        y="20"
        x={trueWidth + GAP}
        width={WIDTH - trueWidth - GAP}
        height={BAR}
        rx="6"
        fill="var(--false)"
      />
      <Inside x={0} width={trueWidth} y={42} fill="var(--on-true)">
        {formatMoney(trueCents)}
      </Inside>
      <Inside x={trueWidth + GAP} width={WIDTH - trueWidth - GAP} y={42} fill="var(--on-false)">
        {formatMoney(totalCents - trueCents)}
      </Inside>
      <text y="79">{say`If it is ${label.slice(0, LABEL_MAX)}`}</text>
      <rect y="86" width={isAll ? WIDTH : ownWidth} height={BAR} rx="6" fill="var(--you)" />
      <Inside x={0} width={isAll ? WIDTH : ownWidth} y={108} fill="var(--on-you)">
        {`You ${formatMoney(payCents)}`}
      </Inside>
      {isAll ? null : (
        <>
          <rect
            y="86"
            x={ownWidth + GAP}
            width={WIDTH - ownWidth - GAP}
            height={BAR}
            rx="6"
            fill="var(--surface-3)"
          />
          <Inside x={ownWidth + GAP} width={WIDTH - ownWidth - GAP} y={108} fill="var(--ink-2)">
            The others
          </Inside>
        </>
      )}
    </svg>
  );
}

/** A part is wide enough to be seen. */
function widthOf(share: number): number {
  return Math.round(Math.min(0.94, Math.max(0.06, share)) * WIDTH);
}

type InsideProps = { x: number; width: number; y: number; fill: string; children: string };

/** Words in a part, where it is wide enough for them. */
function Inside({ x, width, y, fill, children }: InsideProps) {
  if (children.length * LETTERS_PX > width - LETTERS_PX) return null;
  return (
    <text x={x + 10} y={y} fill={fill}>
      {children}
    </text>
  );
}

type Share = { label: string; ownCents: number; winningCents: number; payCents: number };
