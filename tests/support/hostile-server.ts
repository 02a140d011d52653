import { createServer, type Socket } from "node:net";
import { afterFile } from "./after-file.ts";

/** A server on this machine that answers each connection as `behave` says, byte by byte. It ends with the file. */
export class HostileServer {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#take(socket));
  readonly #behave: (socket: Socket) => void;
  /** The most connections that were open at a time. */
  openMax = 0;
  asked = 0;
  /** How many bytes were written to all connections. */
  bytesWritten = 0;

  private constructor(behave: (socket: Socket) => void) {
    this.#behave = behave;
    afterFile(async () => {
      this.hangUp();
      this.#server.close();
    });
  }

  static async start(behave: (socket: Socket) => void): Promise<HostileServer> {
    const hostile = new HostileServer(behave);
    await new Promise<void>((resolve) => hostile.#server.listen(0, "127.0.0.1", resolve));
    return hostile;
  }

  get origin(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the server does not listen");
    return `http://127.0.0.1:${address.port}`;
  }

  get open(): number {
    return this.#sockets.size;
  }

  /** Ends all connections. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #take(socket: Socket): void {
    this.#sockets.add(socket);
    this.asked += 1;
    this.openMax = Math.max(this.openMax, this.#sockets.size);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.bytesWritten += socket.bytesWritten;
      this.#sockets.delete(socket);
    });
    socket.resume();
    this.#behave(socket);
  }
}

/** Takes the request and answers nothing. */
export function keepSilent(_socket: Socket): void {}

/** Does not even read the request. It does not notice either that the connection is closed. */
export function readNothing(socket: Socket): void {
  socket.pause();
}

/** Begins an answer and writes a header line every 100 ms, for ever. */
export function dripHeaders(socket: Socket): void {
  socket.write("HTTP/1.1 201 Created\r\n");
  const timer = setInterval(() => socket.write("x-more: to come\r\n"), 100);
  socket.on("close", () => clearInterval(timer));
}

/** Answers 201 and writes its body as fast as it is read, for ever. */
export function floodBody(socket: Socket): void {
  socket.write("HTTP/1.1 201 Created\r\n\r\n");
  flood(socket, "x".repeat(65_536));
}

/** Begins an answer and writes headers as fast as they are read, for ever. */
export function floodHeaders(socket: Socket): void {
  socket.write("HTTP/1.1 201 Created\r\n");
  flood(socket, `x-more: ${"x".repeat(1_000)}\r\n`.repeat(60));
}

/** Answers 201 and a part of its body, and then nothing more, without closing the connection. */
export function stopHalfWay(socket: Socket): void {
  socket.write("HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\nhalf");
}

/** Writes this as fast as it is read, for ever. */
export function flood(socket: Socket, part: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.on("drain", write);
  write();
}
