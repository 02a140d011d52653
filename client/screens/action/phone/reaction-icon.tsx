import type { ReactionKind } from "#db/lists/reactions.ts";

const FACE = "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18ZM9 9.5v.1M15 9.5v.1";

const paths: Record<ReactionKind | "any", string> = {
  any: `${FACE}M8.5 14q3.5 3 7 0`,
  love: "M12 20L4 11.5a4.6 4.6 0 0 1 8-5a4.6 4.6 0 0 1 8 5z",
  fire: "M12 21a6.5 6.5 0 0 1-6.5-6.5C5.5 10 10 8.5 10 3q6 3 5.5 7q1-.5 1.5-2q1.5 3 1.5 6.5A6.5 6.5 0 0 1 12 21z",
  laugh: `${FACE}M7.5 13h9a4.5 4.5 0 0 1-9 0z`,
  wow: `${FACE}M12 13.5a2 2 0 1 0 0 4a2 2 0 0 0 0-4z`,
  ouch: `${FACE}M8.5 16l2-2l1.5 2l1.5-2l2 2`,
};

/** The drawing of a kind of reaction, or of reactions in general. A word says the same. */
export function ReactionIcon({ kind }: { kind: ReactionKind | "any" }) {
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
