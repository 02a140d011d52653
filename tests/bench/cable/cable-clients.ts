import type { Socket } from "bun";
import { waitFor } from "#tests/support/wait-for.ts";

const AT_ONCE = 50;

/** How a client connects: its request, the commands after it, and the text that confirms its subscription. */
export type ConnectOptions = { head: string; commands: string[]; ready: string };

/**
 * Many TCP clients of one server. They only count bytes, because the frames are known. Parsing them would cost more CPU than
 * the server needs.
 */
export class CableClients {
  readonly #sockets: Socket[] = [];
  #bytes = 0;
  /** How many bytes are expected, and the promise that waits for them. */
  #awaited: { bytes: number; resolve: () => void } | null = null;

  /** Opens the clients, and waits until all are subscribed. */
  static async open(port: number, count: number, options: ConnectOptions): Promise<CableClients> {
    const clients = new CableClients();
    const ready = { count: 0 };
    for (let opened = 0; opened < count; opened += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, count - opened) }, () =>
        clients.#open(port, options, ready),
      );
      await Promise.all(batch);
    }
    await waitFor("all clients", () => ready.count === count, { withinMs: 120_000 });
    return clients;
  }

  /** Resolves when each client has received this many bytes since `reset`. */
  async received(bytesEach: number): Promise<void> {
    const bytes = bytesEach * this.#sockets.length;
    if (this.#bytes >= bytes) return;
    await new Promise<void>((resolve) => {
      this.#awaited = { bytes, resolve };
    });
  }

  /** Sets the count to 0. */
  reset(): void {
    this.#bytes = 0;
    this.#awaited = null;
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  async #open(
    port: number,
    { head, commands, ready }: ConnectOptions,
    subscribed: { count: number },
  ): Promise<void> {
    let text = "";
    let isSubscribed = false;
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data: (self, data) => {
          if (isSubscribed) return this.#count(data.length);
          const hadHead = text.includes("\r\n\r\n");
          text += data.toString("latin1");
          if (!hadHead && text.includes("\r\n\r\n"))
            for (const command of commands) self.write(maskedFrame(command));
          if (!text.includes(ready)) return;
          isSubscribed = true;
          subscribed.count += 1;
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

/** The length of a text frame from a server, in bytes. */
export function frameLength(text: string): number {
  const length = Buffer.byteLength(text);
  return length + (length < 126 ? 2 : 4);
}
