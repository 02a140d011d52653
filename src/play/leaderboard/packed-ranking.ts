/** What a rank depends on. More wins rank higher, then fewer losses, then a higher net. */
export type RankKey = { wins: number; losses: number; netCents: number };

/** A row as the database packs it, big-endian: wins, losses (int4), net, player id (int8). See ranking-cache.ts. */
const ROW_BYTES = 24;
const LOSSES_AT = 4;
const NET_AT = 8;
const PLAYER_AT = 16;

/** The players of a leaderboard in order, 24 bytes each. A rank is found by binary search. */
export class PackedRanking {
  readonly size: number;
  readonly #rows: DataView;

  /** @param packed rows in order, the best first. */
  constructor(packed: Uint8Array) {
    this.#rows = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    this.size = packed.byteLength / ROW_BYTES;
  }

  /** How many players rank strictly above. */
  countAbove(key: RankKey): number {
    return this.#search((row) => compare(row, key) < 0);
  }

  /** How many players share this rank. */
  countEqual(key: RankKey): number {
    return this.#search((row) => compare(row, key) <= 0) - this.countAbove(key);
  }

  /**
   * The ids of players in order, the best first.
   * @param offset of the first; 0 is the best player.
   */
  playerIds(offset: number, limit: number): number[] {
    const count = Math.max(0, Math.min(limit, this.size - offset));
    return Array.from({ length: count }, (_, index) =>
      Number(this.#rows.getBigInt64((offset + index) * ROW_BYTES + PLAYER_AT)),
    );
  }

  /** The index of the first row for which `isBefore` does not hold. */
  #search(isBefore: (row: RankKey) => boolean): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#keyOf(middle))) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #keyOf(row: number): RankKey {
    const start = row * ROW_BYTES;
    return {
      wins: this.#rows.getInt32(start),
      losses: this.#rows.getInt32(start + LOSSES_AT),
      netCents: Number(this.#rows.getBigInt64(start + NET_AT)),
    };
  }
}

/** Negative if the first ranks higher. */
function compare(one: RankKey, other: RankKey): number {
  return other.wins - one.wins || one.losses - other.losses || other.netCents - one.netCents;
}
