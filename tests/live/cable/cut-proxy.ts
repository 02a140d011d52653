import net from "node:net";

/** A TCP proxy whose connections a test can cut. */
export type CutProxy = {
  port: number;
  /** Ends every connection at once, as a lost network does. */
  cut: () => void;
  /** Drops all data from now on; the connections stay open. */
  swallow: () => void;
  /** Cuts, and refuses connections until `comeBack`. */
  goAway: () => void;
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
    goAway: () => {
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
