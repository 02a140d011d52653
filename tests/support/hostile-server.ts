import { createServer, type Socket } from "node:net";
import { afterFile } from "./after-file.ts";

/** A server on this machine that answers each connection as `behave` says, byte by byte. It ends with the file. */
export class HostileServer {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#take(socket));
  readonly #behave: (socket: Socket) => void;
  /** The most connections that were open at a time. */
  openMax = 0;
  /** How many connections there were. */
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

/** The same with a line every 1.5 s, which keeps a timeout for silence from ending it. */
export function dripSlowly(socket: Socket): void {
  socket.write("HTTP/1.1 200 OK\r\n");
  const timer = setInterval(() => socket.write("x-more: to come\r\n"), 1_500);
  socket.on("close", () => clearInterval(timer));
}

/** Ends each connection before it has answered. */
export function closeAtOnce(socket: Socket): void {
  socket.end();
}

/** Resets each connection. */
export function resetAtOnce(socket: Socket): void {
  socket.resetAndDestroy();
}

/** Sends whoever asks to another place. */
export function redirectAway(socket: Socket): void {
  socket.once("data", () =>
    socket.end("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n"),
  );
}

/** Answers with a web page, as a portal or a proxy does. */
export function answerPage(socket: Socket): void {
  const page = "<!doctype html><title>Sign in</title>";
  const head = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n`;
  socket.once("data", () => socket.end(`${head}connection: close\r\n\r\n${page}`));
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

/** All that a server on the other side can do to whoever asks it. */
export const hostileBehaviours: Readonly<Record<string, (socket: Socket) => void>> = {
  "is silent": keepSilent,
  "reads nothing": readNothing,
  "writes a header line every 1.5 s": dripSlowly,
  "answers without end": floodBody,
  "writes headers without end": floodHeaders,
  "stops half way": stopHalfWay,
  "closes at once": closeAtOnce,
  "resets at once": resetAtOnce,
  redirects: redirectAway,
  "answers a page": answerPage,
};

/** Writes this as fast as it is read, for ever. */
export function flood(socket: Socket, part: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.on("drain", write);
  write();
}
