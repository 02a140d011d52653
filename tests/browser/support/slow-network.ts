import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { ownVariables } from "#src/settings/env.ts";

/** The variable with which the journeys run on a slow network. */
export const SLOW_NETWORK = "CALLED_IT_SLOW_NETWORK";

/** So much of what is carried is late, and by how much at most; the rest needs some time as well. */
const LATE_SHARE = 0.35;
const LATE_MAX_MS = 1_200;
const USUAL_MAX_MS = 60;

/** Whether this run of the journeys is on a slow network. */
export function isOnSlowNetwork(): boolean {
  return ownVariables()[SLOW_NETWORK] !== undefined;
}

/**
 * Starts a network in front of the product on which everything arrives, in order, and much of it late. What passes only where an answer
 * comes before the next look fails here.
 * @returns the product's address behind it, and its end.
 */
export async function startSlowNetwork(product: string): Promise<{ url: string; stop: () => void }> {
  const target = new URL(product);
  const ends = new Set<Socket>();
  const server = createServer((client) => {
    const behind = createConnection(Number(target.port), target.hostname);
    for (const end of [client, behind]) {
      ends.add(end);
      end.on("error", () => undefined);
      end.on("close", () => ends.delete(end));
    }
    carry(client, behind);
    carry(behind, client);
  });
  server.listen(0, target.hostname);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The network has no port.");
  return {
    url: `${target.protocol}//${target.hostname}:${address.port}`,
    stop: () => {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}

/** Carries one direction: what comes first arrives first. */
function carry(from: Socket, to: Socket): void {
  let last = Promise.resolve();
  const later = (act: () => void) => {
    const delayed = Bun.sleep(Math.random() * (Math.random() < LATE_SHARE ? LATE_MAX_MS : USUAL_MAX_MS));
    last = last.then(() => delayed).then(act);
  };
  from.on("data", (data) => later(() => to.write(data)));
  from.on("end", () => later(() => to.end()));
  from.on("close", () => later(() => to.destroy()));
}
