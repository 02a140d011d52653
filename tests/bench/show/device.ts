import { handshakeHead, maskedFrame, PONG, takeFrames } from "../cable/cable-clients.ts";
import { FROM } from "./contract.ts";

/** A page connects again within this time after a cut; see client/base/live/cable.ts. */
const BACK_WITHIN_MS = 1_000;
const HEAD_END = "\r\n\r\n";
const EPOCH = '"epoch":"';
const OFFSET = '"offset":';
/** So many letters have the identifier, the epoch and the offset of a message. */
const BEGINNING = 300;

type Place = { epoch: string; offset: number };
type Channel = {
  identifier: string;
  /** How its frames begin. */
  prefix: string;
  place: Place | null;
  /** Messages that came before the answer to `since`. Null: the channel follows its stream. */
  early: { at: Place; text: string }[] | null;
};
type DeviceOptions = {
  port: number;
  cookie: string;
  address: string;
  /** The identifiers of the channels that the page follows. */
  identifiers: readonly string[];
  /** Gets each message of the game once and in order, as the text of its frame. */
  hear: (frame: string) => void;
};

/** Of all devices of this process. */
export const cableCounts = { closed: 0, cuts: 0, missed: 0, gaps: 0, messages: 0, bytes: 0 };

/**
 * The socket of one page. It follows its channels as the app does: after each connect it asks what came since its last offset. Frames
 * are searched and not parsed, because the load shares the machine with the servers.
 */
export class Device {
  readonly #options: DeviceOptions;
  readonly #channels: Channel[];
  #socket: Bun.Socket | null = null;
  #isCut = false;
  #hasLeft = false;
  #caughtUp = Promise.withResolvers<void>();

  constructor(options: DeviceOptions) {
    this.#options = options;
    this.#channels = options.identifiers.map((identifier) => ({
      identifier,
      prefix: `{"identifier":${JSON.stringify(identifier)}`,
      place: null,
      early: [],
    }));
  }

  /** Resolves when the page has everything that it had missed. */
  async connect(): Promise<void> {
    const { port, cookie, address } = this.#options;
    this.#isCut = false;
    this.#caughtUp = Promise.withResolvers<void>();
    for (const channel of this.#channels) channel.early = [];
    let unread = "";
    let hadHead = false;
    this.#socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data: (socket, data) => {
          cableCounts.bytes += data.length;
          unread += data.toString("latin1");
          if (!hadHead) {
            const end = unread.indexOf(HEAD_END);
            if (end === -1) return;
            hadHead = true;
            unread = unread.slice(end + HEAD_END.length);
            for (const { identifier } of this.#channels) send(socket, { command: "subscribe", identifier });
          }
          unread = takeFrames(unread, {
            text: (text) => this.#receive(socket, text),
            ping: () => socket.write(PONG),
          });
        },
        close: () => void this.#comeBack(),
        error: () => undefined,
      },
    });
    const head = handshakeHead("/cable", port, cookie);
    this.#socket.write(`${head.slice(0, -"\r\n".length)}${FROM}: ${address}${HEAD_END}`);
    await this.#caughtUp.promise;
  }

  /** The network loses the socket. */
  cut(): void {
    cableCounts.cuts += 1;
    this.#isCut = true;
    this.#socket?.terminate();
  }

  leave(): void {
    this.#hasLeft = true;
    this.#socket?.terminate();
  }

  async #comeBack(): Promise<void> {
    if (this.#hasLeft) return;
    if (!this.#isCut) cableCounts.closed += 1;
    this.#caughtUp.resolve();
    await Bun.sleep(Math.random() * BACK_WITHIN_MS);
    await this.connect().catch(() => this.#comeBack());
  }

  #receive(socket: Bun.Socket, text: string): void {
    const channel = this.#channels.find(({ prefix }) => text.startsWith(prefix));
    // A welcome or a ping.
    if (channel === undefined) return;
    if (text.endsWith('"type":"confirm_subscription"}')) {
      const data = JSON.stringify({ action: "since", ...channel.place });
      return send(socket, { command: "message", identifier: channel.identifier, data });
    }
    const beginning = text.slice(0, BEGINNING);
    const at = placeIn(beginning);
    // The chat has a stream of its own, on which pages do not catch up.
    if (at === null || beginning.includes('"sourceType":"Message"')) return;
    if (beginning.includes('"gap":true') || beginning.includes('"caughtUp":'))
      return this.#catchUp(channel, at);
    if (channel.early === null || isNext(channel.place, at)) this.#take(channel, { at, text });
    else channel.early.push({ at, text });
  }

  /** The answer to `since` has come: everything up to this place is known. A newer live message may have come before it. */
  #catchUp(channel: Channel, at: Place): void {
    const { place } = channel;
    const isBehind = place?.epoch !== at.epoch || place.offset < at.offset;
    if (isBehind && place !== null) cableCounts.gaps += 1;
    if (isBehind) channel.place = at;
    const early = channel.early ?? [];
    channel.early = null;
    for (const each of early) this.#take(channel, each);
    if (this.#channels.every((each) => each.early === null)) this.#caughtUp.resolve();
  }

  #take(channel: Channel, { at, text }: { at: Place; text: string }): void {
    const { place } = channel;
    if (place?.epoch === at.epoch) {
      if (at.offset <= place.offset) return;
      cableCounts.missed += at.offset - place.offset - 1;
    }
    channel.place = at;
    cableCounts.messages += 1;
    this.#options.hear(text);
  }
}

function isNext(place: Place | null, at: Place): boolean {
  return place !== null && place.epoch === at.epoch && at.offset === place.offset + 1;
}

function send(socket: Bun.Socket, command: object): void {
  socket.write(maskedFrame(JSON.stringify(command)));
}

/** Null for a frame that has no place in a stream. */
function placeIn(text: string): Place | null {
  const epochAt = text.indexOf(EPOCH);
  const offsetAt = text.indexOf(OFFSET);
  if (epochAt === -1 || offsetAt === -1) return null;
  const epochFrom = epochAt + EPOCH.length;
  return {
    epoch: text.slice(epochFrom, text.indexOf('"', epochFrom)),
    offset: Number.parseInt(text.slice(offsetAt + OFFSET.length), 10),
  };
}
