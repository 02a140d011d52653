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
  /** New sockets of the cable are never answered until `restore`. Requests are. */
  swallowHandshakes: () => void;
  /** How many have not been answered. */
  swallowed: () => number;
  /** Nothing passes any more: not on the connections that are open, and not on new ones until `restore`. */
  dropAll: () => void;
  /** New connections and sockets work again. */
  restore: () => unknown;
  stop: () => void;
};

type State = { swallows: boolean; drops: boolean; swallowed: number };

export async function startQuietNetwork(product: string): Promise<QuietNetwork> {
  const target = new URL(product);
  const pairs = new Set<Pair>();
  const state: State = { swallows: false, drops: false, swallowed: 0 };
  const server = createServer((client) => {
    const behind = createConnection(Number(target.port), target.hostname);
    carry({ client, server: behind, isCable: false, isDead: state.drops }, pairs, state);
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
    swallowHandshakes: () => {
      state.swallows = true;
    },
    swallowed: () => state.swallowed,
    dropAll: () => {
      state.drops = true;
      kill(() => true);
    },
    restore: () => Object.assign(state, { drops: false, swallows: false }),
    stop: () => {
      server.close();
      for (const { client, server: end } of pairs) for (const one of [client, end]) one.destroy();
    },
  };
}

/** Carries what passes between a browser and the product, until the pair is dead. */
function carry(pair: Pair, pairs: Set<Pair>, state: State): void {
  pairs.add(pair);
  const { client, server } = pair;
  client.on("data", (data) => {
    if (data.toString("latin1").startsWith("GET /cable")) {
      pair.isCable = true;
      pair.isDead ||= state.swallows;
      if (pair.isDead) state.swallowed += 1;
    }
    if (!pair.isDead) server.write(data);
  });
  server.on("data", (data) => {
    if (!pair.isDead) client.write(data);
  });
  const end = (other: Socket) => {
    pairs.delete(pair);
    other.destroy();
  };
  client.on("close", () => end(server));
  // A dead connection does not carry its end either.
  server.on("close", () => {
    if (!pair.isDead) end(client);
  });
  for (const socket of [client, server]) socket.on("error", () => undefined);
}
