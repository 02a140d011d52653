import net from "node:net";
import { waitFor } from "#tests/support/wait-for.ts";

const KEY = "dGhlIHNhbXBsZSBub25jZQ==";
export const OPCODE = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export type RawFrame = { opcode: number; payload: Buffer };

/** A TCP connection that sends exactly the given bytes and parses websocket frames itself. */
export class RawSocket {
  readonly frames: RawFrame[] = [];
  head = "";
  ended = false;
  readonly #socket: net.Socket;
  #unread = Buffer.alloc(0);

  constructor(port: number, request: string) {
    this.#socket = net.connect(port, "127.0.0.1", () => this.#socket.write(request));
    this.#socket.on("data", (data) => this.#read(Buffer.from(data)));
    this.#socket.on("close", () => {
      this.ended = true;
    });
    this.#socket.on("error", () => undefined);
  }

  /** Waits for the head of the response. */
  async answered(): Promise<string> {
    return waitFor("an answer", () => this.head || null);
  }

  /** Sends one frame. Clients must mask their frames; a test may break that rule. */
  sendFrame(opcode: number, payload: Uint8Array, { masked = true, reserved = 0 } = {}): void {
    const mask = Buffer.from([1, 2, 3, 4]);
    const body = Buffer.from(payload).map((byte, index) => (masked ? byte ^ (mask[index % 4] ?? 0) : byte));
    this.#socket.write(
      Buffer.concat([
        Buffer.from([0x80 | reserved | opcode]),
        lengthOf(body.length, masked),
        masked ? mask : Buffer.alloc(0),
        body,
      ]),
    );
  }

  frame(what: string, opcode: number): Promise<RawFrame> {
    return waitFor(what, () => this.frames.find((frame) => frame.opcode === opcode) ?? null);
  }

  texts(): string[] {
    return this.frames
      .filter(({ opcode }) => opcode === OPCODE.text)
      .map(({ payload }) => payload.toString("utf8"));
  }

  /** Stops reading, as a client whose network is gone. */
  pause(): void {
    this.#socket.pause();
  }

  /** Continues to read. */
  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(data: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, data]);
    if (this.head === "") {
      const end = this.#unread.indexOf("\r\n\r\n");
      if (end < 0) return;
      this.head = this.#unread.subarray(0, end).toString("latin1");
      this.#unread = this.#unread.subarray(end + 4);
    }
    for (let frame = this.#takeFrame(); frame !== null; frame = this.#takeFrame()) this.frames.push(frame);
  }

  #takeFrame(): RawFrame | null {
    const [first, second] = this.#unread;
    if (first === undefined || second === undefined) return null;
    const short = second & 0x7f;
    const start = short === 126 ? 4 : 2;
    if (this.#unread.length < start) return null;
    const length = short === 126 ? this.#unread.readUInt16BE(2) : short;
    if (this.#unread.length < start + length) return null;
    const payload = this.#unread.subarray(start, start + length);
    this.#unread = this.#unread.subarray(start + length);
    return { opcode: first & 0x0f, payload };
  }
}

/** The handshake of a browser, with these headers added or replaced. A header of null is left out. */
export function handshake(origin: string, headers: Record<string, string | null> = {}): string {
  const all: Record<string, string | null> = {
    Host: new URL(origin).host,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": KEY,
    Origin: origin,
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return ["GET /cable HTTP/1.1", ...lines, "", ""].join("\r\n");
}

function lengthOf(length: number, masked: boolean): Buffer {
  const bit = masked ? 0x80 : 0;
  if (length < 126) return Buffer.from([bit | length]);
  if (length < 65_536) return Buffer.from([bit | 126, length >> 8, length & 0xff]);
  const long = Buffer.alloc(9);
  long[0] = bit | 127;
  long.writeBigUInt64BE(BigInt(length), 1);
  return long;
}
