/** What a place on a leaderboard depends on: wins down, losses up, net down. */
export type Standing = { wins: number; losses: number; netCents: number };

/** A row as the database packs it, big-endian: wins, losses (int4), net, player (int8). See read-standings.ts. */
const ROW_BYTES = 24;
const LOSSES_AT = 4;
const NET_AT = 8;
const PLAYER_AT = 16;

/** Everybody's standing in order, as it was read: 24 bytes a player, and a rank is found in a few steps. */
export class Ladder {
  readonly size: number;
  readonly #rows: DataView;

  /** @param packed rows in order, best first. */
  constructor(packed: Uint8Array) {
    this.#rows = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    this.size = packed.byteLength / ROW_BYTES;
  }

  /** How many stand strictly above. */
  countAbove(standing: Standing): number {
    return this.#search((row) => compare(row, standing) < 0);
  }

  /** How many stand exactly there. */
  countAt(standing: Standing): number {
    return this.#search((row) => compare(row, standing) <= 0) - this.countAbove(standing);
  }

  /** The ids of the players from a place on, best first; the first place is 0. */
  playersFrom(offset: number, limit: number): number[] {
    const count = Math.max(0, Math.min(limit, this.size - offset));
    return Array.from({ length: count }, (_, index) =>
      Number(this.#rows.getBigInt64((offset + index) * ROW_BYTES + PLAYER_AT)),
    );
  }

  /** The first row for which `isBefore` no longer holds. */
  #search(isBefore: (row: Standing) => boolean): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#standingOf(middle))) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #standingOf(row: number): Standing {
    const start = row * ROW_BYTES;
    return {
      wins: this.#rows.getInt32(start),
      losses: this.#rows.getInt32(start + LOSSES_AT),
      netCents: Number(this.#rows.getBigInt64(start + NET_AT)),
    };
  }
}

/** Below 0 where the first stands higher. */
function compare(one: Standing, other: Standing): number {
  return other.wins - one.wins || one.losses - other.losses || other.netCents - one.netCents;
}
