import { networkOf } from "#src/settings/networks.ts";
import { ownerOf, type RegisteredConnection } from "./hub-api.ts";

/** A sign-in is one browser. This many tabs of it may be connected to this process. */
const PER_SIGN_IN_MAX = 20;
/** All guests of a venue may come from one address. */
const PER_ADDRESS_MAX = 10_000;
/** Commands of one player over all connections to this process. A browser with all its tabs may send so many at once. */
const COMMANDS_PER_S_MAX = 60;
const COMMANDS_AT_ONCE_MAX = 120;
const SECOND_MS = 1_000;
const COMMAND_MS = SECOND_MS / COMMANDS_PER_S_MAX;

/** Bounds what one browser, one player and one address may ask of this process. Without RATE_LIMITS it bounds nothing. */
export class SocketLimits {
  readonly #on: boolean;
  /** The oldest connection of each sign-in, or token, is the first. */
  readonly #byOwner = new Map<string, RegisteredConnection[]>();
  readonly #byAddress = new Map<string, number>();
  /** When each player's commands so far are paid off, from performance.now(). */
  readonly #paidOffAtMs = new Map<number, number>();

  constructor({ on }: { on: boolean }) {
    this.#on = on;
  }

  /** False if an address has all sockets that it may have. */
  hasRoomFor(address: string): boolean {
    return !this.#on || (this.#byAddress.get(networkOf(address)) ?? 0) < PER_ADDRESS_MAX;
  }

  /**
   * Adds a connection. One too many of a sign-in takes the place of the oldest, which may be the ghost of a lost network.
   * @returns the connection to disconnect; null: none.
   */
  add(connection: RegisteredConnection): RegisteredConnection | null {
    if (!this.#on) return null;
    const owner = ownerOf(connection.client);
    const network = networkOf(connection.client.address);
    this.#byAddress.set(network, (this.#byAddress.get(network) ?? 0) + 1);
    if (owner === null) return null;
    const connections = [...(this.#byOwner.get(owner) ?? []), connection];
    this.#byOwner.set(owner, connections);
    return connections.length > PER_SIGN_IN_MAX ? (connections[0] ?? null) : null;
  }

  remove(connection: RegisteredConnection): void {
    if (!this.#on) return;
    const owner = ownerOf(connection.client);
    const network = networkOf(connection.client.address);
    const remaining = (this.#byAddress.get(network) ?? 0) - 1;
    if (remaining > 0) this.#byAddress.set(network, remaining);
    else this.#byAddress.delete(network);
    if (owner === null) return;
    const others = this.#byOwner.get(owner)?.filter((each) => each !== connection) ?? [];
    if (others.length > 0) this.#byOwner.set(owner, others);
    else this.#byOwner.delete(owner);
  }

  /** Counts a command of a player. @returns how long it has to wait, in ms. */
  takeCommand(userId: number): number {
    if (!this.#on) return 0;
    const now = performance.now();
    const earliest = now - COMMANDS_AT_ONCE_MAX * COMMAND_MS;
    const paidOff = Math.max(this.#paidOffAtMs.get(userId) ?? earliest, earliest) + COMMAND_MS;
    this.#paidOffAtMs.set(userId, paidOff);
    return Math.max(0, paidOff - now);
  }

  /** Deletes the counts of players who have sent no command for a while. */
  prune(): void {
    const earliest = performance.now() - COMMANDS_AT_ONCE_MAX * COMMAND_MS;
    for (const [userId, paidOff] of this.#paidOffAtMs)
      if (paidOff < earliest) this.#paidOffAtMs.delete(userId);
  }
}
