import { rankTeams, type TeamSums } from "#src/play/teams/rank-teams.ts";
import type { TeamView } from "#src/play/teams/schemas.ts";
import { type ReplayLeader, type ReplayLeaders, type ReplayTeam, REPLAY_LEADERS } from "./contract.ts";
import type { LogEntry, PlayerSums } from "./read-entries.ts";

/** Who was not on the leaderboard before the first entry that says so. */
export type NotRanked = {
  excluded: readonly number[];
  excludedEverywhere: readonly number[];
  guests: readonly number[];
};

/** The names of the session's teams, and the number of each player's, by the player's id. */
export type Teams = { names: readonly string[]; numberOf: ReadonlyMap<number, number> };

/** Folds a session's log into its leaderboard, as src/play/leaderboard ranks it. It holds the sums of each player, and no history. */
export class LeadersFold {
  readonly #sums = new Map<number, PlayerSums>();
  readonly #excluded: Set<number>;
  readonly #excludedEverywhere: Set<number>;
  /** Empty where guests are ranked. */
  readonly #guests: Set<number>;
  readonly #rankGuests: boolean;
  readonly #teams: Teams;
  #last = "";

  constructor(
    { excluded, excludedEverywhere, guests }: NotRanked,
    { rankGuests, teams }: { rankGuests: boolean; teams: Teams },
  ) {
    this.#teams = teams;
    this.#excluded = new Set(excluded);
    this.#excludedEverywhere = new Set(excludedEverywhere);
    this.#guests = new Set(rankGuests ? [] : guests);
    this.#rankGuests = rankGuests;
  }

  /** @returns the leaderboard after these entries; null if it shows the same as before. */
  apply(entries: readonly LogEntry[]): ReplayLeaders | null {
    const changes = entries.filter((entry) => this.#applyEntry(entry));
    if (changes.length === 0) return null;
    const top = this.#top();
    const text = JSON.stringify(top);
    if (text === this.#last || (this.#last === "" && top.totalCount === 0)) return null;
    this.#last = text;
    return top;
  }

  #applyEntry(entry: LogEntry): boolean {
    switch (entry.kind) {
      case "scores":
        for (const sums of entry.scores) {
          if (sums.played === 0) this.#sums.delete(sums.userId);
          else this.#sums.set(sums.userId, sums);
        }
        return true;
      case "exclusion": {
        const set = entry.sessionId === null ? this.#excludedEverywhere : this.#excluded;
        if (entry.detail.excluded) set.add(entry.subjectId);
        else set.delete(entry.subjectId);
        return true;
      }
      case "guest":
        if (entry.detail.guest && !this.#rankGuests) this.#guests.add(entry.subjectId);
        else this.#guests.delete(entry.subjectId);
        return true;
      case "session":
      case "event":
        return false;
    }
  }

  /** The first players, by one pass over all. One more than shown is kept, which says whether the last one is tied. */
  #top(): ReplayLeaders {
    const first: PlayerSums[] = [];
    const teams = new Map<number, TeamSums>();
    let totalCount = 0;
    for (const sums of this.#sums.values()) {
      if (!this.#isRanked(sums.userId)) continue;
      totalCount += 1;
      addToTeam(teams, this.#teams.numberOf.get(sums.userId), sums);
      const index = first.findIndex((other) => compare(sums, other) < 0);
      if (index >= 0) first.splice(index, 0, sums);
      else if (first.length <= REPLAY_LEADERS) first.push(sums);
      if (first.length > REPLAY_LEADERS + 1) first.pop();
    }
    const leaders = first.slice(0, REPLAY_LEADERS).map((sums) => present(sums, first));
    const { names } = this.#teams;
    return names.length === 0
      ? { leaders, totalCount }
      : { leaders, teams: rankTeams(names, [...teams.values()]).map(presentTeam), totalCount };
  }

  #isRanked(userId: number): boolean {
    return !this.#excluded.has(userId) && !this.#excludedEverywhere.has(userId) && !this.#guests.has(userId);
  }
}

function addToTeam(teams: Map<number, TeamSums>, number: number | undefined, { netCents }: PlayerSums): void {
  if (number === undefined) return;
  const before = teams.get(number) ?? { number, membersCount: 0, playersCount: 0, netCents: 0 };
  const playersCount = before.playersCount + 1;
  teams.set(number, { ...before, playersCount, netCents: before.netCents + netCents });
}

function presentTeam({ number, name, rank, tied, playersCount, netCents, scoreCents }: TeamView): ReplayTeam {
  return { number, name, rank, tied, playersCount, netCents, scoreCents };
}

/** More wins first, then fewer losses, then a higher net; equal scores by the player's id. */
function compare(one: PlayerSums, other: PlayerSums): number {
  return compareScore(one, other) || one.userId - other.userId;
}

function compareScore(one: PlayerSums, other: PlayerSums): number {
  return other.wins - one.wins || one.losses - other.losses || other.netCents - one.netCents;
}

/** Equal scores share a rank: 1-2-2-4. */
function present(sums: PlayerSums, first: readonly PlayerSums[]): ReplayLeader {
  const { userId, played, wins, losses, netCents, currentStreak, bestStreak } = sums;
  const equal = first.filter((other) => compareScore(sums, other) === 0);
  const rank = first.findIndex((other) => compareScore(sums, other) === 0) + 1;
  const pushes = played - wins - losses;
  return { userId, rank, tied: equal.length > 1, wins, losses, pushes, netCents, currentStreak, bestStreak };
}
