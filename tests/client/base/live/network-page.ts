import { beforeEach, expect, jest, type Mock, spyOn } from "bun:test";
import { listen } from "#client/base/live/cable.ts";
import { updateConnection } from "#client/base/live/connection.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { answerSockets, endPlay, passMs, PlayedSocket, playSockets } from "#tests/client/played-socket.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { inSync, openDom } from "#tests/support/dom.ts";

type Channel = { channel: "SessionsChannel" | "UserChannel"; id: string };
type Listener = { missed?: () => void; connected?: () => void };
type Following = { channel?: Channel; offset?: StreamOffset | null } & Listener;

/** No other file in this process follows a session with this id. */
const session: Channel = { channel: "SessionsChannel", id: "of a played network" };

/** A page on a network that the test plays, on a clock that only the test moves. Each test of the file gets a page of its own. */
export class NetworkPage {
  sockets: readonly PlayedSocket[] = [];
  openedMs = 0;
  readonly #fetched: Mock<typeof fetch>;
  #pages = 0;
  #stops: (() => void)[] = [];
  #missed = 0;

  /** @param url the page's own address. */
  constructor(url?: string) {
    const closeDom = openDom(url === undefined ? {} : { url });
    // After the document, which gives back at its end what it has found.
    this.#fetched = spyOn(globalThis, "fetch");
    const random = spyOn(Math, "random").mockReturnValue(0.5);
    afterFile(async () => {
      random.mockRestore();
      this.#fetched.mockRestore();
      endPlay();
      updateConnection(inSync);
      await closeDom();
    });
    beforeEach(() => {
      jest.useFakeTimers();
      this.answerRequests(true);
    });
    afterTest(async () => {
      await this.close();
      jest.useRealTimers();
    });
  }

  /** How many requests the page has sent. */
  get requests(): number {
    return this.#fetched.mock.calls.length;
  }

  /** How often the page was told that it has missed messages. */
  get missed(): number {
    return this.#missed;
  }

  answerRequests(isOn: boolean): void {
    this.#fetched.mockReset();
    // A request that is lost ends by its own time limit, as in a browser.
    this.#fetched.mockImplementation(
      Object.assign(async () => (isOn ? new Response("{}") : Promise.reject(new Error("lost"))), fetch),
    );
  }

  /** Opens the page, on a server of its own. @param protocol that the server selects. */
  async open({ protocol, ...first }: Following & { protocol?: string } = {}) {
    if (this.#stops.length > 0) await this.close();
    this.sockets = playSockets(protocol);
    this.#pages += 1;
    this.#missed = 0;
    this.openedMs = Date.now();
    const followed = this.follow(first);
    await passMs(0);
    return followed;
  }

  /** Follows a channel, by default the session's. @returns what it is told, and how to end it. */
  follow({ channel = session, offset = null, missed, connected }: Following = {}) {
    const told = { connected: 0, missed: 0, rejected: 0 };
    const stop = listen(
      `ws://network-${this.#pages}.test/cable`,
      { ...channel, offset },
      {
        received: () => {},
        connected: () => {
          told.connected += 1;
          connected?.();
        },
        missed: () => {
          told.missed += 1;
          this.#missed += 1;
          missed?.();
        },
        rejected: () => void (told.rejected += 1),
      },
    );
    this.#stops.push(stop);
    return { told, stop };
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    // What the page was about to do is no business of the next one.
    answerSockets(true);
    updateConnection(inSync);
    await passMs(3_000);
  }

  get newest(): PlayedSocket {
    const socket = this.sockets.at(-1);
    if (socket === undefined) throw new Error("the page opened no socket");
    return socket;
  }

  /** When the page's sockets were closed, in milliseconds after it was opened. */
  get closedAtMs(): number[] {
    return this.sockets.flatMap(({ closedMs }) => (closedMs === null ? [] : [closedMs - this.openedMs]));
  }

  ping(): void {
    this.newest.receive({ type: "ping", message: 1 });
  }

  /** The server accepts the page's subscriptions. */
  subscribe(...channels: readonly Channel[]): void {
    expect(this.newest.readyState).toBe(PlayedSocket.OPEN);
    this.newest.receive({ type: "welcome" });
    for (const channel of channels.length === 0 ? [session] : channels)
      this.answer("confirm_subscription", channel);
  }

  /** The server refuses the page's subscription. */
  reject(): void {
    this.newest.receive({ type: "welcome" });
    this.answer("reject_subscription");
  }

  answer(type: "confirm_subscription" | "reject_subscription", channel: Channel = session): void {
    this.newest.receive({ type, identifier: JSON.stringify(channel) });
  }

  /** The server answers what the page has asked for, or sends it something. */
  tell(message: object, channel: Channel = session): void {
    this.newest.receive({ type: "", identifier: JSON.stringify(channel), message });
  }

  /** The server has nothing more to tell. */
  tellAll(): void {
    this.tell({ caughtUp: { epoch: "e", offset: 0 } });
  }

  /** The page is subscribed, and knows everything. */
  confirm(): void {
    this.subscribe();
    this.tellAll();
  }

  /** How often the page has asked this socket what it has missed. */
  requestsOf(channel: Channel = session): number {
    const identifier = JSON.stringify(JSON.stringify(channel));
    return this.newest.commands.filter((command) => command.includes("since") && command.includes(identifier))
      .length;
  }

  /** How often the page has subscribed by this socket. */
  get subscribes(): number {
    const subscribe = JSON.stringify({ command: "subscribe", identifier: JSON.stringify(session) });
    return this.newest.commands.filter((command) => command === subscribe).length;
  }
}
