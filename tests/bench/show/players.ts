import * as v from "valibot";
import { type Joining, momentMs, showCommand, type ShowReport } from "./contract.ts";
import { cableCounts, Device } from "./device.ts";
import { type Browser, ShowCalls, ShowClient } from "./show-calls.ts";

// A process with many players of a show: bun tests/bench/show/players.ts. Each of them has a page, some have two.

const SECOND_DEVICE_SHARE = 0.1;
const CUTS_A_MINUTE_SHARE = 0.02;
const PAGES_A_MINUTE = 500;
const CHATS_A_SECOND = 2;
const REACTIONS_A_SECOND = 20;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

class Players {
  readonly #browsers: Browser[];
  readonly #devices: Device[] = [];
  readonly #client: ShowClient;
  readonly #calls: ShowCalls;
  readonly #pageMs: number[] = [];
  readonly #joinMs: number[] = [];
  readonly #joining: Joining;
  readonly #timers = new Map<(plannedAtMs: number) => void, Timer>();
  #chats = 0;
  #reactions = 0;

  constructor(joining: Joining) {
    this.#joining = joining;
    this.#client = new ShowClient(joining);
    this.#calls = new ShowCalls(this.#client);
    this.#browsers = joining.players.map(({ cookie, csrfToken }, index) => {
      const number = joining.first + index;
      return { cookie, csrfToken, address: `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}` };
    });
  }

  /** All join within the time; then the show is on. */
  async join(): Promise<void> {
    const { withinMs, share } = this.#joining;
    await Promise.all(this.#browsers.map((_, index) => this.#joinOne(index, withinMs)));
    this.#repeat(MINUTE_MS / (PAGES_A_MINUTE * share), (atMs) => void this.#openPage(this.#anyone(), atMs));
    this.#repeat(SECOND_MS / (CHATS_A_SECOND * share), () => void this.#chat());
    this.#repeat(SECOND_MS / (REACTIONS_A_SECOND * share), () => void this.#react());
    this.#repeat(MINUTE_MS / (CUTS_A_MINUTE_SHARE * this.#devices.length), () => this.#cut());
  }

  leave(): ShowReport {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const device of this.#devices) device.leave();
    this.#client.close();
    const { callMs, rushMs, openings, refused, lateInTime, all } = this.#calls;
    return {
      callMs,
      rushMs,
      pageMs: this.#pageMs,
      sentLateMs: this.#client.sentLateMs,
      joinMs: this.#joinMs,
      openings,
      calls: all,
      refused,
      lateInTime,
      devices: this.#devices.length,
      ...cableCounts,
      chats: this.#chats,
      reactions: this.#reactions,
    };
  }

  async #joinOne(index: number, withinMs: number): Promise<void> {
    const browser = this.#browsers[index];
    const player = this.#joining.players[index];
    if (browser === undefined || player === undefined) return;
    const waitMs = Math.random() * withinMs;
    const plannedAtMs = momentMs() + waitMs;
    await Bun.sleep(waitMs);
    await this.#openPage(browser, plannedAtMs);
    await this.#openDevice(browser, player.gid);
    this.#joinMs.push(momentMs() - plannedAtMs);
    if (Math.random() < SECOND_DEVICE_SHARE) await this.#openDevice(browser, player.gid);
  }

  async #openDevice(browser: Browser, gid: string): Promise<void> {
    const { port, session } = this.#joining;
    const device = new Device({
      port,
      cookie: browser.cookie,
      address: browser.address,
      identifiers: [
        JSON.stringify({ channel: "UserChannel", id: gid }),
        JSON.stringify({ channel: "SessionsChannel", id: session.slug }),
      ],
      hear: (frame) => this.#calls.hear(browser, frame),
    });
    this.#devices.push(device);
    await device.connect();
  }

  async #openPage(browser: Browser, plannedAtMs: number): Promise<void> {
    await this.#client.openPage(browser, plannedAtMs);
    this.#pageMs.push(momentMs() - plannedAtMs);
  }

  async #chat(): Promise<void> {
    if (await this.#client.chat(this.#anyone(), `I called it, ${Math.random().toString(36).slice(2)}`))
      this.#chats += 1;
  }

  async #react(): Promise<void> {
    if (await this.#client.react(this.#anyone())) this.#reactions += 1;
  }

  #cut(): void {
    this.#devices[Math.floor(Math.random() * this.#devices.length)]?.cut();
  }

  #anyone(): Browser {
    const browser = this.#browsers[Math.floor(Math.random() * this.#browsers.length)];
    if (browser === undefined) throw new Error("A process has at least one player.");
    return browser;
  }

  /** Acts for each planned moment, also for those that a busy process has missed. */
  #repeat(everyMs: number, act: (plannedAtMs: number) => void): void {
    let nextAtMs = momentMs() + everyMs;
    const turn = () => {
      for (; nextAtMs <= momentMs(); nextAtMs += everyMs) act(nextAtMs);
      // An interval would drift away from the planned moments.
      this.#timers.set(act, setTimeout(turn, Math.max(0, nextAtMs - momentMs())));
    };
    turn();
  }
}

let players: Players | null = null;

async function perform(command: v.InferOutput<typeof showCommand>): Promise<ShowReport | "done"> {
  if (command.command === "join") {
    players = new Players(command);
    await players.join();
    return "done";
  }
  if (players === null) throw new Error("Players join first.");
  return players.leave();
}

if (import.meta.main) {
  process.on("message", (message) => {
    const command = v.parse(showCommand, message);
    void perform(command).then((answer) => process.send?.(answer));
  });
}
