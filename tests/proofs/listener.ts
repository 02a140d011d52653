import * as v from "valibot";
import { FROM } from "#tests/bench/show/contract.ts";
import { browserSocket } from "#tests/live/cable/browser-socket.ts";

const RECONNECT_WITHIN_MS = 1_000;
/** At the end of the frame of a message: where it is in its stream. */
const OFFSET = /"stream_id":("[^"]*"),"epoch":("[^"]*"),"offset":(\d+)\}$/;

type Listening = {
  origin: string;
  identifier: string;
  cookie: string;
  address: string;
  onMessage?: () => void;
};

/**
 * A socket of a session. It speaks the extended protocol, reconnects when it is closed, asks for what it has missed, and counts what
 * did not come in order.
 */
export class Listener {
  /** Of all listeners of this process. */
  static readonly counts = { messages: 0, missed: 0, doubled: 0, rejected: 0, reconnects: 0 };
  readonly #listening: Listening;
  readonly #ready = Promise.withResolvers<void>();
  isOpen = false;
  at: { stream: string; epoch: string; offset: number } | null = null;

  constructor(listening: Listening) {
    this.#listening = listening;
    this.#connect();
  }

  /** Resolves when the socket is subscribed for the first time. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  #connect(): void {
    const { origin, cookie, address } = this.#listening;
    const Socket = browserSocket(() => ({ origin, cookie, [FROM]: address }));
    const socket = new Socket(`${origin.replace("http", "ws")}/cable`, ["actioncable-v1-ext-json"]);
    socket.addEventListener("message", ({ data }) => this.#receive(socket, String(data)));
    socket.addEventListener("close", () => {
      this.isOpen = false;
      Listener.counts.reconnects += 1;
      setTimeout(() => this.#connect(), Math.random() * RECONNECT_WITHIN_MS);
    });
  }

  #receive(socket: WebSocket, frame: string): void {
    const found = OFFSET.exec(frame);
    if (found !== null) return this.#follow(found);
    if (frame.startsWith('{"type":"ping"')) return;
    const { type } = v.parse(v.object({ type: v.optional(v.string()) }), JSON.parse(frame));
    if (type === "welcome") this.#subscribe(socket);
    if (type === "confirm_subscription") {
      this.isOpen = true;
      this.#ready.resolve();
    }
    if (type === "reject_history") Listener.counts.rejected += 1;
  }

  #subscribe(socket: WebSocket): void {
    const { identifier } = this.#listening;
    const { at } = this;
    const history =
      at === null ? {} : { history: { streams: { [at.stream]: { epoch: at.epoch, offset: at.offset } } } };
    socket.send(JSON.stringify({ command: "subscribe", identifier, ...history }));
  }

  #follow([, streamId = "", epochText = "", offsetText = ""]: RegExpExecArray): void {
    const stream: string = JSON.parse(streamId);
    const epoch: string = JSON.parse(epochText);
    const offset = Number(offsetText);
    const { counts } = Listener;
    counts.messages += 1;
    this.#listening.onMessage?.();
    if (this.at?.epoch === epoch) {
      const steps = offset - this.at.offset;
      if (steps < 1) counts.doubled += 1;
      else counts.missed += steps - 1;
    }
    this.at = { stream, epoch, offset };
  }
}
