import { beforeEach, expect, jest, type Mock, spyOn } from "bun:test";
import { adapters } from "@rails/actioncable/app/assets/javascripts/actioncable.esm.js";
import { listen } from "#client/base/live/cable.ts";
import { updateConnection } from "#client/base/live/connection.ts";
import { answerSockets, passMs, playSockets, type PlayedSocket } from "#tests/client/played-socket.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const identifier = JSON.stringify({ channel: "SessionsChannel", id: "silent" });
const inSync = { connected: true, silent: false, behind: false };

/** A page on a network that the test plays, on a clock that only the test moves. Each test of the file gets a page of its own. */
export class NetworkPage {
  sockets: readonly PlayedSocket[] = [];
  /** How often the page was told that it has missed messages. */
  missed = 0;
  readonly #fetched: Mock<typeof fetch>;
  #pages = 0;
  #stopListening = () => {};

  constructor() {
    const closeDom = openDom();
    // After the document, which gives back at its end what it has found.
    this.#fetched = spyOn(globalThis, "fetch");
    const realSocket = adapters.WebSocket;
    const random = spyOn(Math, "random").mockReturnValue(0.5);
    afterFile(async () => {
      random.mockRestore();
      this.#fetched.mockRestore();
      adapters.WebSocket = realSocket;
      updateConnection(inSync);
      await closeDom();
    });
    beforeEach(() => {
      jest.useFakeTimers();
      this.answerRequests(true);
      this.sockets = playSockets();
      this.#pages += 1;
      this.missed = 0;
    });
    afterTest(async () => {
      this.#stopListening();
      // What the page was about to do is no business of the next one.
      answerSockets(true);
      updateConnection(inSync);
      await passMs(3_000);
      jest.useRealTimers();
    });
  }

  /** How many requests the page has sent. */
  get requests(): number {
    return this.#fetched.mock.calls.length;
  }

  answerRequests(isOn: boolean): void {
    this.#fetched.mockReset();
    // A request that is lost ends by its own time limit, as in a browser.
    this.#fetched.mockImplementation(
      Object.assign(async () => (isOn ? new Response("{}") : Promise.reject(new Error("lost"))), fetch),
    );
  }

  /** Opens the page on a server of its own. */
  async open(own: { missed?: () => void } = {}): Promise<void> {
    const params = { channel: "SessionsChannel", id: "silent", offset: null } as const;
    const listener = { received: () => {}, missed: () => void (this.missed += 1), ...own };
    this.#stopListening = listen(`ws://silent-${this.#pages}.test/cable`, params, listener);
    await passMs(0);
  }

  get newest(): PlayedSocket {
    const socket = this.sockets.at(-1);
    if (socket === undefined) throw new Error("the page opened no socket");
    return socket;
  }

  ping(): void {
    this.newest.receive({ type: "ping", message: 1 });
  }

  /** The server accepts the page's subscription. */
  subscribe(): void {
    expect(this.newest.readyState).toBe(adapters.WebSocket.OPEN);
    this.newest.receive({ type: "welcome" });
    this.newest.receive({ type: "confirm_subscription", identifier });
  }

  /** The server answers what the page has asked for. */
  tell(message: object): void {
    this.newest.receive({ type: "", identifier, message });
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
}
