import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import * as v from "valibot";
import { afterFile } from "./after-file.ts";
import { testServers } from "./servers.ts";

/** What a proxy can do to a server behind it. */
type Faults = {
  /** Present connections carry nothing any more, and are never closed, as by a firewall or a dead host. New ones work. */
  dropPresent: () => void;
  /** Ends the present connections at once, as a lost network does. */
  cut: () => void;
  /** No connection carries anything, and new ones are accepted without a word, until `thaw`. */
  freeze: () => void;
  /** What was held up since `freeze` is carried. */
  thaw: () => void;
  /** What the server says from now on arrives so much later. */
  delay: (ms: number) => void;
  /** Nothing listens and nothing is connected, as if the server were stopped, until `open`. */
  close: () => Promise<void>;
  open: () => Promise<void>;
};

/** A proxy before the unix socket of a server, at a socket of the same name. */
export type SilentProxy = Faults & { socket: string };
/** A proxy before a port of the loopback address. */
export type SilentPort = Faults & { port: number };

/** Starts a proxy before the unix socket of a server. It listens on a unix socket of the same name, and ends with the file. */
export async function createSilentProxy(target: string): Promise<SilentProxy> {
  const { folder } = await testServers();
  const socket = path.join(folder, crypto.randomUUID().slice(0, 8), path.basename(target));
  await Bun.write(path.join(path.dirname(socket), ".keep"), "");
  const { faults } = await startProxy(
    () => createConnection(target),
    (server) => server.listen(socket),
  );
  return { socket, ...faults };
}

/** Starts a proxy before a port of the loopback address. It ends with the file. */
export async function createSilentPort(target: number): Promise<SilentPort> {
  let port = 0;
  const { server, faults } = await startProxy(
    () => createConnection(target, "127.0.0.1"),
    (one) => one.listen(port, "127.0.0.1"),
  );
  ({ port } = v.parse(v.object({ port: v.number() }), server.address()));
  return { port, ...faults };
}

type Pair = { client: Socket; target: Socket; dropped: boolean };
type State = { pairs: Set<Pair>; frozen: boolean; delayMs: number };

/** Carries what one end of a pair says to the other one. */
function carry(state: State, pair: Pair, [from, to]: readonly [Socket, Socket]): void {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  from.on("data", (data) => {
    if (pair.dropped) return;
    const isLate = from === pair.target && (waiting > 0 || state.delayMs > 0);
    if (!isLate) return void to.write(data);
    waiting += 1;
    // The order stays when the delay changes.
    last = Promise.all([last, Bun.sleep(state.delayMs)]).then(() => {
      waiting -= 1;
      to.write(data);
    });
  });
  // A cut through the proxy is not what is tested.
  from.on("error", () => undefined);
  from.on("close", () => {
    state.pairs.delete(pair);
    to.destroy();
  });
}

async function startProxy(connectTarget: () => Socket, listen: (server: Server) => Server) {
  const state: State = { pairs: new Set(), frozen: false, delayMs: 0 };
  const join = (client: Socket) => {
    const pair = { client, target: connectTarget(), dropped: false };
    state.pairs.add(pair);
    const ends = [client, pair.target] as const;
    carry(state, pair, ends);
    carry(state, pair, [pair.target, client]);
    if (state.frozen) for (const end of ends) end.pause();
  };
  const each = (act: (end: Socket) => void) => {
    for (const { client, target } of state.pairs) for (const one of [client, target]) act(one);
  };
  const startServer = async () => {
    const server = listen(createServer(join));
    await once(server, "listening");
    return server;
  };
  let server = await startServer();
  const close = async () => {
    const closed = once(server, "close");
    server.close();
    each((end) => end.destroy());
    await closed;
  };
  afterFile(async () => {
    if (server.listening) await close();
  });
  const faults: Faults = {
    dropPresent: () => {
      for (const pair of state.pairs) pair.dropped = true;
    },
    cut: () => each((end) => end.destroy()),
    freeze: () => {
      state.frozen = true;
      each((end) => end.pause());
    },
    thaw: () => {
      state.frozen = false;
      each((end) => end.resume());
    },
    delay: (ms) => {
      state.delayMs = ms;
    },
    close,
    open: async () => {
      server = await startServer();
    },
  };
  return { server, faults };
}
