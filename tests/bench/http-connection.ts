import type { Socket } from "bun";

/** An answer as it came: its head as text, its body still encoded. */
export type RawAnswer = { status: number; head: string; body: Buffer };
/** One keep-alive connection that sends one request after the other. */
export type HttpConnection = {
  request: (bytes: Buffer) => Promise<RawAnswer>;
  /** False once the server has closed it. */
  isOpen: () => boolean;
  close: () => void;
};

type Waiting = { resolve: (answer: RawAnswer) => void; reject: (error: Error) => void };
type State = { received: Buffer; waiting: Waiting | null; isOpen: boolean };

const HEAD_END = "\r\n\r\n";
const LINE_END = "\r\n";
const HEX = 16;
const NO_CONTENT = 204;

/** A request as bytes, so that the client does not limit the server. @param line method and path. */
export function requestBytes(line: string, headers: Record<string, string>, body?: object): Buffer {
  const text = body === undefined ? "" : JSON.stringify(body);
  const ofBody = {
    accept: "application/json",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
  };
  const all = Object.entries({ ...(body === undefined ? {} : ofBody), ...headers });
  const lines = all.map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`${line} HTTP/1.1`, ...lines, "", text].join("\r\n"));
}

/** Opens a connection that costs the client little, so that the client does not limit the server: nothing is decoded. */
export async function openConnection(hostname: string, port: number): Promise<HttpConnection> {
  const state: State = { received: Buffer.alloc(0), waiting: null, isOpen: true };
  const end = (error: Error) => {
    state.isOpen = false;
    state.waiting?.reject(error);
    state.waiting = null;
  };
  const socket: Socket = await Bun.connect({
    hostname,
    port,
    socket: {
      data: (_, chunk) => receive(state, chunk),
      close: () => end(new Error("the server closed the connection")),
      error: (_, error) => end(error),
    },
  });
  return {
    request: (bytes) => {
      const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
      state.waiting = { resolve, reject };
      socket.write(bytes);
      return promise;
    },
    isOpen: () => state.isOpen,
    close: () => void socket.end(),
  };
}

function receive(state: State, chunk: Buffer): void {
  // Bun may use the chunk's memory again.
  state.received = state.received.length === 0 ? Buffer.from(chunk) : Buffer.concat([state.received, chunk]);
  const answer = readAnswer(state.received);
  if (answer === null) return;
  state.received = Buffer.alloc(0);
  const { waiting } = state;
  state.waiting = null;
  waiting?.resolve(answer);
}

/** Null until the answer is complete. */
function readAnswer(received: Buffer): RawAnswer | null {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd === -1) return null;
  const head = received.toString("latin1", 0, headEnd);
  const status = Number(head.slice("HTTP/1.1 ".length, 12));
  const rest = received.subarray(headEnd + HEAD_END.length);
  const body = status === NO_CONTENT ? rest : bodyIn(rest, head);
  return body === null ? null : { status, head, body };
}

/** Null until the body is complete. */
function bodyIn(bytes: Buffer, head: string): Buffer | null {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) return joinChunks(bytes);
  return bytes.length < Number(length) ? null : bytes;
}

/** The body of a chunked answer; null until its last chunk has come. */
function joinChunks(bytes: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf(LINE_END, at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), HEX);
    const start = lineEnd + LINE_END.length;
    if (bytes.length < start + size + LINE_END.length) return null;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + LINE_END.length;
  }
}
