import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";

type Pair = { client: Socket; server: Socket; isCable: boolean; isDead: boolean };

/** A network between browsers and the product that can lose what it carries without a word to either end. */
export type QuietNetwork = {
  /** The product's address behind it. */
  url: string;
  /** Open sockets of the cable bring and take nothing any more, and are never closed. */
  silenceSockets: () => void;
  /** Open sockets of the cable end without a word of the server. */
  resetSockets: () => void;
  /** New sockets of the cable are never answered, or are again. Requests are. */
  swallowHandshakes: (isOn: boolean) => void;
  /** How many have not been answered. */
  swallowed: () => number;
  /** Nothing passes any more: not on the connections that are open, and not on new ones until `restore`. */
  dropAll: () => void;
  /** New connections work again. */
  restore: () => void;
  stop: () => void;
};

/** Starts a network in front of the product. */
export async function startQuietNetwork(product: string): Promise<QuietNetwork> {
  const target = new URL(product);
  const pairs = new Set<Pair>();
  const state = { swallows: false, drops: false, swallowed: 0 };
  const server = createServer((client) => {
    const behind = createConnection(Number(target.port), target.hostname);
    const pair: Pair = { client, server: behind, isCable: false, isDead: state.drops };
    pairs.add(pair);
    client.on("data", (data) => {
      if (data.toString("latin1").startsWith("GET /cable")) {
        pair.isCable = true;
        if (state.swallows) {
          pair.isDead = true;
          state.swallowed += 1;
        }
      }
      if (!pair.isDead) behind.write(data);
    });
    behind.on("data", (data) => {
      if (!pair.isDead) client.write(data);
    });
    for (const [end, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      end.on("error", () => undefined);
      // The end of one end is one more thing that a dead connection does not carry.
      end.on("close", () => {
        if (pair.isDead && end === behind) return;
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  server.listen(0, target.hostname);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The network has no port.");
  const kill = (isChosen: (pair: Pair) => boolean) => {
    for (const pair of pairs) if (isChosen(pair)) pair.isDead = true;
  };
  return {
    url: `${target.protocol}//${target.hostname}:${address.port}`,
    silenceSockets: () => kill(({ isCable }) => isCable),
    resetSockets: () => {
      for (const { client, isCable } of pairs) if (isCable) client.destroy();
    },
    swallowHandshakes: (isOn) => {
      state.swallows = isOn;
    },
    swallowed: () => state.swallowed,
    dropAll: () => {
      state.drops = true;
      kill(() => true);
    },
    restore: () => {
      state.drops = false;
      state.swallows = false;
    },
    stop: () => {
      server.close();
      for (const { client, server: end } of pairs) for (const one of [client, end]) one.destroy();
    },
  };
}
