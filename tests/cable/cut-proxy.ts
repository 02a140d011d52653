import net from "node:net";

/** A wire that can be cut: it passes on what it is given, until it is told not to. */
export type CutProxy = {
  port: number;
  /** Ends every connection at once, as a lost network does. */
  cut: () => void;
  /** Swallows whatever is sent from now on, without a word; the connections seem to live. */
  swallow: () => void;
  /** Cuts, and lets nobody through until `comeBack`. */
  leave: () => void;
  comeBack: () => void;
  stop: () => void;
};

export async function openCutProxy(targetPort: number): Promise<CutProxy> {
  const pairs = new Set<[net.Socket, net.Socket]>();
  let away = false;
  const server = net.createServer((near) => {
    if (away) return void near.resetAndDestroy();
    const far = net.connect(targetPort, "127.0.0.1");
    const pair: [net.Socket, net.Socket] = [near, far];
    pairs.add(pair);
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on("data", (data) => void other.write(data));
      one.on("error", () => undefined);
      one.on("close", () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const cut = () => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    cut,
    swallow: () => {
      for (const pair of pairs) for (const socket of pair) socket.removeAllListeners("data");
      for (const pair of pairs) for (const socket of pair) socket.resume();
    },
    leave: () => {
      away = true;
      cut();
    },
    comeBack: () => {
      away = false;
    },
    stop: () => {
      cut();
      server.close();
    },
  };
}
