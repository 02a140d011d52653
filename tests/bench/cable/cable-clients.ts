import type { Socket } from "bun";

/** So many connect at the same time. */
const AT_ONCE = 64;

/** How the clients connect: the request of each, the commands after it, and the text that confirms the subscription. */
export type ConnectOptions = { head: (index: number) => string; commands: string[]; ready: string };

/**
 * Many TCP clients of one server. They count bytes, because the frames are known. Parsing all of them would cost more CPU than the
 * server needs.
 */
export class CableClients {
  readonly #sockets: Socket[] = [];
  #bytes = 0;
  /** How many bytes are expected, and the promise that waits for them. */
  #awaited: { bytes: number; resolve: () => void } | null = null;

  /** Opens the clients, and waits until all are subscribed. */
  static async open(port: number, count: number, options: ConnectOptions): Promise<CableClients> {
    const clients = new CableClients();
    let opened = 0;
    const openNext = async () => {
      while (opened < count) {
        opened += 1;
        await clients.#open(port, options, opened - 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, openNext));
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

  async #open(port: number, { head, commands, ready }: ConnectOptions, index: number): Promise<void> {
    const { promise: subscribed, resolve, reject } = Promise.withResolvers<void>();
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
          resolve();
        },
        close: () => reject(new Error(`a socket was closed: ${text.slice(0, 200)}`)),
        error: () => undefined,
      },
    });
    this.#sockets.push(socket);
    socket.write(head(index));
    await subscribed;
  }

  #count(length: number): void {
    this.#bytes += length;
    if (this.#awaited === null || this.#bytes < this.#awaited.bytes) return;
    const { resolve } = this.#awaited;
    this.#awaited = null;
    resolve();
  }
}

/** A text frame from a client, of at most 64 KB. */
export function maskedFrame(text: string): Uint8Array {
  const payload = new TextEncoder().encode(text);
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 0xff];
  // A mask of zeroes changes nothing.
  return new Uint8Array([0x81, ...length, 0, 0, 0, 0, ...payload]);
}

/** A pong frame, without a text. A socket that answers no pings is closed. */
export const PONG = new Uint8Array([0x8a, 0x80, 0, 0, 0, 0]);

/** Takes the whole frames of a server from the beginning of what was received: texts and pings. @returns the rest. */
export function takeFrames(
  received: string,
  take: { text: (text: string) => void; ping: () => void },
): string {
  let at = 0;
  for (;;) {
    const short = received.charCodeAt(at + 1);
    const start = at + (short === 126 ? 4 : 2);
    if (received.length < start || Number.isNaN(short)) return received.slice(at);
    const length = short === 126 ? received.charCodeAt(at + 2) * 256 + received.charCodeAt(at + 3) : short;
    if (received.length < start + length) return received.slice(at);
    const opcode = received.charCodeAt(at);
    if (opcode === 0x81) take.text(received.slice(start, start + length));
    if (opcode === 0x89) take.ping();
    at = start + length;
  }
}

/** The length of a text frame from a server, in bytes. */
export function frameLength(text: string): number {
  const length = Buffer.byteLength(text);
  return length + (length < 126 ? 2 : 4);
}

export function handshakeHead(target: string, port: number, cookie: string): string {
  return [
    `GET ${target} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Origin: http://127.0.0.1:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol: actioncable-v1-json, actioncable-unsupported",
    `Cookie: ${cookie}`,
    "\r\n",
  ].join("\r\n");
}
