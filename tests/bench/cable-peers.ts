import type { Socket } from "bun";
import { waitFor } from "#tests/support/wait-for.ts";

const AT_ONCE = 50;

/** How a peer of one server begins: its request, what it says then, and by what it knows that it is in. */
export type Manner = { head: string; says: string[]; ready: string };

/**
 * Many plain TCP peers of one server. They take no frames apart, which would cost more than the server: what they are sent is
 * known, and so they only count its bytes.
 */
export class Peers {
  readonly #sockets: Socket[] = [];
  #bytes = 0;
  /** Where the count must come to, and who waits for it. */
  #awaited: { bytes: number; resolve: () => void } | null = null;

  /** Opens the peers, and waits until all are in. */
  static async open(port: number, count: number, manner: Manner): Promise<Peers> {
    const peers = new Peers();
    const inNow = { count: 0 };
    for (let opened = 0; opened < count; opened += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, count - opened) }, () =>
        peers.#open(port, manner, inNow),
      );
      await Promise.all(some);
    }
    await waitFor("all peers", () => inNow.count === count, { withinMs: 120_000 });
    return peers;
  }

  /** Resolves when every peer was sent this many bytes more. */
  async sent(bytesEach: number): Promise<void> {
    const bytes = bytesEach * this.#sockets.length;
    if (this.#bytes >= bytes) return;
    await new Promise<void>((resolve) => {
      this.#awaited = { bytes, resolve };
    });
  }

  /** Counts from nothing again. */
  reset(): void {
    this.#bytes = 0;
    this.#awaited = null;
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  async #open(port: number, { head, says, ready }: Manner, inNow: { count: number }): Promise<void> {
    let heard = "";
    let isIn = false;
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data: (self, data) => {
          if (isIn) return this.#count(data.length);
          const before = heard.includes("\r\n\r\n");
          heard += data.toString("latin1");
          if (!before && heard.includes("\r\n\r\n")) for (const text of says) self.write(maskedFrame(text));
          if (!heard.includes(ready)) return;
          isIn = true;
          inNow.count += 1;
        },
        error: () => undefined,
      },
    });
    socket.write(head);
    this.#sockets.push(socket);
  }

  #count(length: number): void {
    this.#bytes += length;
    if (this.#awaited === null || this.#bytes < this.#awaited.bytes) return;
    const { resolve } = this.#awaited;
    this.#awaited = null;
    resolve();
  }
}

function maskedFrame(text: string): Uint8Array {
  const payload = new TextEncoder().encode(text);
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 0xff];
  // A mask of zeroes changes nothing.
  return new Uint8Array([0x81, ...length, 0, 0, 0, 0, ...payload]);
}

/** How many bytes a text takes on the wire, in a frame of its own from a server. */
export function frameLength(text: string): number {
  const length = Buffer.byteLength(text);
  return length + (length < 126 ? 2 : 4);
}
