import { jest } from "bun:test";

type Frame = { type: string; identifier?: string; reason?: string; reconnect?: boolean; message?: unknown };

type SocketEvent = { data?: string };

/** A socket whose server the test plays. */
export class PlayedSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;

  readonly url: string;
  readonly protocol = selected;
  readonly commands: string[] = [];
  readonly #listeners: { type: string; listener: (event: SocketEvent) => void }[] = [];
  closedMs: number | null = null;
  readyState: number = PlayedSocket.CONNECTING;
  onopen = (_event: SocketEvent) => {};
  onmessage = (_event: SocketEvent) => {};
  onclose = (_event: SocketEvent) => {};

  constructor(url: string) {
    this.url = url;
    opened.push(this);
    // As in a browser, the listeners are added first.
    if (!isAnswering) return;
    queueMicrotask(() => {
      this.readyState = PlayedSocket.OPEN;
      this.#dispatch("open", {});
    });
  }

  addEventListener(type: string, listener: (event: SocketEvent) => void): void {
    this.#listeners.push({ type, listener });
  }

  /** The client sends a command. */
  send(text: string): void {
    this.commands.push(text);
  }

  /** The client, or the server, closes the socket. */
  close(): void {
    const wasOpen = this.readyState === PlayedSocket.OPEN;
    this.readyState = PlayedSocket.CLOSED;
    this.closedMs = Date.now();
    // A browser reports the close of an open socket when the server has answered it.
    if (isAnswering || !wasOpen) queueMicrotask(() => this.#dispatch("close", {}));
  }

  /** The connection is lost, as when a router starts again. */
  reset(): void {
    this.readyState = PlayedSocket.CLOSED;
    this.#dispatch("close", {});
  }

  /** The server sends a frame. */
  receive(frame: Frame): void {
    this.#dispatch("message", { data: JSON.stringify(frame) });
  }

  #dispatch(type: "open" | "message" | "close", event: SocketEvent): void {
    for (const { listener } of this.#listeners.filter((each) => each.type === type)) listener(event);
    this[`on${type}`](event);
  }
}

const ownSocket = globalThis.WebSocket;
let opened: PlayedSocket[] = [];
let selected = "actioncable-v1-json";
let isAnswering = true;

/**
 * Lets pages open played sockets from now on, until `endPlay`.
 * @param protocol that their server selects.
 * @returns all that were opened since, in order.
 */
export function playSockets(protocol = "actioncable-v1-json"): readonly PlayedSocket[] {
  Object.assign(globalThis, { WebSocket: PlayedSocket });
  opened = [];
  selected = protocol;
  return opened;
}

/** Pages open real sockets again. */
export function endPlay(): void {
  globalThis.WebSocket = ownSocket;
}

/** From now on the server answers no handshake and no close, or answers them again. */
export function answerSockets(isOn: boolean): void {
  isAnswering = isOn;
}

/** Moves the faked clock in small steps, so that what one timer causes happens before the next timer. */
export async function passMs(milliseconds: number): Promise<void> {
  for (let passed = 0; passed <= milliseconds; passed += 10) {
    if (passed > 0) jest.advanceTimersByTime(10);
    await Promise.resolve();
    await Promise.resolve();
  }
}
