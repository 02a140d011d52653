import { waitFor } from "#tests/support/wait-for.ts";
import { browserSocket } from "./browser-socket.ts";

/** A parsed frame. */
export type Frame = {
  type?: string;
  identifier?: string;
  message?: Record<string, unknown>;
  reason?: string;
  reconnect?: boolean;
};

type Options = { origin?: string; cookie?: string; token?: string; protocols?: string[] };

/** A websocket client that speaks Action Cable and stores all frames. */
export class Client {
  readonly frames: Frame[] = [];
  readonly socket: WebSocket;
  closed: { code: number } | null = null;
  #asked = 0;

  constructor(url: string, { origin, cookie, token, protocols = ["actioncable-v1-json"] }: Options) {
    const headers = {
      ...(origin === undefined ? {} : { origin }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    this.socket = new (browserSocket(() => headers))(url, protocols);
    this.socket.addEventListener("message", ({ data }) => this.frames.push(JSON.parse(String(data))));
    this.socket.addEventListener("close", ({ code }) => {
      this.closed = { code };
    });
  }

  send(command: unknown): void {
    this.socket.send(typeof command === "string" ? command : JSON.stringify(command));
  }

  /** Waits for the first frame that matches. */
  waitForFrame(what: string, matches: (frame: Frame) => boolean): Promise<Frame> {
    return waitFor(what, () => this.frames.find((frame) => matches(frame)) ?? null);
  }

  ofType(type: string): Frame[] {
    return this.frames.filter((frame) => frame.type === type);
  }

  /** The messages of one subscription, in the order of arrival, without their offsets. */
  messages(identifier: string): Record<string, unknown>[] {
    return this.messagesWithOffsets(identifier).map(
      ({ epoch: _epoch, offset: _offset, ...message }) => message,
    );
  }

  /** The same with their offsets. */
  messagesWithOffsets(identifier: string): Record<string, unknown>[] {
    return this.frames.flatMap((frame) =>
      frame.identifier === identifier && frame.message !== undefined ? [frame.message] : [],
    );
  }

  /** Performs an action of a subscription. */
  perform(identifier: string, action: string, data: object): void {
    this.send({ command: "message", identifier, data: JSON.stringify({ ...data, action }) });
  }

  async welcomed(): Promise<this> {
    await this.waitForFrame("the welcome", ({ type }) => type === "welcome");
    return this;
  }

  /** Subscribes and waits for the confirmation. */
  async follow(identifier: string): Promise<void> {
    this.send({ command: "subscribe", identifier });
    await this.waitForFrame(
      `the confirm of ${identifier}`,
      (frame) => frame.type === "confirm_subscription" && frame.identifier === identifier,
    );
  }

  /** Waits until all that was sent before is done: commands are performed in their order, and this one is rejected. */
  async settled(): Promise<void> {
    this.#asked += 1;
    const identifier = userChannel(`nobody ${this.#asked}`);
    this.send({ command: "subscribe", identifier });
    await this.waitForFrame("the rejection", (frame) => frame.identifier === identifier);
  }

  async waitForClose(): Promise<number> {
    return (await waitFor("the close", () => this.closed)).code;
  }

  close(): void {
    this.socket.close();
  }
}

export const userChannel = (gid: string) => JSON.stringify({ channel: "UserChannel", id: gid });
export const sessionChannel = (id: string | number) => JSON.stringify({ channel: "SessionsChannel", id });
