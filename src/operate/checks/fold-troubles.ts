import { adminChecks } from "./checks.ts";
import type { Trouble } from "./noted-checks.ts";

// Decision: operators read one row for each cause, with the processes that see it, and beneath it what follows from it: who repairs Redis
// while the database is away repairs nothing. The checks say what each part follows from. Whatever lists troubles folds them here.

/** What follows may be seen so long before its cause, and be over so long after it. */
const APART_MS = 10_000;

export type Fault = Omit<Trouble, "process"> & {
  endedAt: Date | null;
  /** The processes that see it: "web-1 (process 11 on host-a), worker (process 13 on host-a)". Null: it is about the product as a whole. */
  process: string | null;
  follows: Pick<Trouble, "what" | "detail">[];
};

type Timed = Trouble & { endedAt?: Date | null };

const followed = new Map<string, readonly string[]>(
  adminChecks.map(({ part, follows = [] }) => [part, follows]),
);

/** The cause of a trouble among these, which may be over; null: it is one itself. @param now by the clock that has timed them. */
export function causeOf(trouble: Timed, all: readonly Timed[], now: Date): Timed | null {
  for (const part of followed.get(trouble.part) ?? []) {
    const cause = all.find((other) => other.part === part && mayCause(other, trouble, now));
    if (cause !== undefined) return causeOf(cause, all, now) ?? cause;
  }
  return null;
}

function mayCause(cause: Timed, { process, since, endedAt }: Timed, now: Date): boolean {
  // What one process sees says nothing about another one.
  if (process !== cause.process && process !== "" && cause.process !== "") return false;
  const isEarlier = Number(since) < Number(cause.since) - APART_MS;
  return !isEarlier && Number(endedAt ?? now) < Number(cause.endedAt ?? now) + APART_MS;
}

/** One row for each cause, with what follows from it. What several processes see at the same time is joined. @param now by the clock of the database. */
export function foldTroubles(troubles: readonly Timed[], now: Date): Fault[] {
  const found = troubles.map((trouble) => ({ trouble, cause: causeOf(trouble, troubles, now) }));
  const causes = found.filter(({ cause }) => cause === null).map(({ trouble }) => trouble);
  return groupSame(causes, now).map((same) => {
    const effects = found.filter(({ cause }) => cause !== null && same.includes(cause));
    const groups = groupSame(
      effects.map(({ trouble }) => trouble),
      now,
    ).map(join);
    return { ...join(same), follows: groups.map(({ what, detail }) => ({ what, detail })) };
  });
}

/** What is the same and was so at the same time. */
function groupSame(troubles: readonly Timed[], now: Date): Timed[][] {
  const groups: Timed[][] = [];
  const isBefore = (one: Timed, other: Timed) => (one.endedAt ?? now) < other.since;
  for (const one of troubles) {
    const isSame = ([other]: Timed[]) =>
      other?.what === one.what && !isBefore(one, other) && !isBefore(other, one);
    const group = groups.find(isSame);
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  return groups;
}

function join(same: readonly Timed[]): Omit<Fault, "follows"> {
  const [first] = same.toSorted((one, other) => Number(one.since) - Number(other.since));
  if (first === undefined) throw new Error("Nothing is to be joined.");
  // Where it is over says nothing about where it is not.
  const open = same.filter(({ endedAt = null }) => endedAt === null);
  const seen = open.length === 0 ? same : open;
  const processes = [...new Set(seen.map(({ process }) => process))].filter((each) => each !== "").toSorted();
  const said = seen.filter(({ detail }) => detail !== null);
  const details = new Set(said.map(({ detail }) => detail));
  const endMs = Math.max(...same.map(({ endedAt }) => endedAt?.getTime() ?? Number.POSITIVE_INFINITY));
  const all = said.map(({ process, detail }) => `${process.split(" ")[0]}: ${detail}`);
  return {
    ...first,
    detail: details.size > 1 ? all.join("\n") : (said[0]?.detail ?? null),
    endedAt: Number.isFinite(endMs) ? new Date(endMs) : null,
    process: processes.length === 0 ? null : processes.join(", "),
  };
}
