import path from "node:path";
import * as v from "valibot";
import { gidOf } from "#src/sign-ins/viewer.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { countsReport, type Counts } from "../cable/storm-players.ts";
import { endWithThis } from "../start-web.ts";
import type { Product } from "./product.ts";

const BUILT_AT_ONCE = 50;
const BALANCE_CENTS = 10_000_000;

/** A signed-in player. */
export type Player = { userId: number; credentials: Record<string, string> };

/** Players with a wallet, signed in. */
export async function buildPlayers({ deps }: Product, count: number): Promise<Player[]> {
  const players: Player[] = [];
  while (players.length < count) {
    const built = Array.from({ length: Math.min(BUILT_AT_ONCE, count - players.length) }, async () => {
      const { id } = await buildPlayer(deps, { balanceCents: BALANCE_CENTS });
      return { userId: id, credentials: await signInDirectly(deps, { id }) };
    });
    players.push(...(await Promise.all(built)));
  }
  return players;
}

/** The sockets of players, in a process of their own. Each follows the session and its player's stream. */
export type Crowd = {
  open: (players: readonly Player[], sessionId: number) => Promise<void>;
  /** The frames and bytes that all of them have received so far. */
  counts: () => Promise<Counts>;
  stop: () => Promise<void>;
};

export function startCrowd({ web }: Product): Crowd {
  let answered = Promise.withResolvers<unknown>();
  const child = Bun.spawn([process.execPath, path.join(import.meta.dir, "../cable/storm-players.ts")], {
    ipc: (message) => answered.resolve(message),
    onExit: () => answered.reject(new Error("the crowd ended")),
    stderr: "inherit",
  });
  endWithThis(child);
  const ask = (command: object) => {
    answered = Promise.withResolvers();
    child.send(command);
    return answered.promise;
  };
  return {
    open: async (players, sessionId) => {
      await ask({
        command: "open",
        port: Number(new URL(web.origin).port),
        session: JSON.stringify({ channel: "SessionsChannel", id: sessionId }),
        players: players.map(({ userId, credentials }) => ({
          gid: gidOf(userId),
          cookie: credentials["cookie"] ?? "",
        })),
      });
    },
    counts: async () => v.parse(countsReport, await ask({ command: "counts" })),
    stop: async () => {
      answered.promise.catch(() => undefined);
      child.kill();
      await child.exited;
    },
  };
}
