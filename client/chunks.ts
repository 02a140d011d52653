import type { accountScreens } from "./account-screens.ts";
import type { adminScreens } from "./admin-screens.ts";
import type { ScreenInChunk } from "./handle.ts";
import { Unreachable } from "./reach.ts";
import type { screens } from "./screens.ts";

/** Where a screen's code is that does not come with every page: its module, and how it is fetched. */
export type Chunk = { module: string; load: () => Promise<ScreenInChunk> };

/** A screen around the game. */
export function playerScreen(name: keyof typeof screens): Chunk {
  return chunk("client/screens.ts", async () => (await import("./screens.ts")).screens[name]);
}

/** A screen of those who run the show; nothing of it weighs on players. */
export function adminScreen(name: keyof typeof adminScreens): Chunk {
  return chunk(
    "client/admin-screens.ts",
    async () => (await import("./admin-screens.ts")).adminScreens[name],
  );
}

/** A screen of somebody's own account: registration, passwords, settings. */
export function accountScreen(name: keyof typeof accountScreens): Chunk {
  return chunk(
    "client/account-screens.ts",
    async () => (await import("./account-screens.ts")).accountScreens[name],
  );
}

/** Code that does not arrive is told like an API that does not answer. */
function chunk(module: string, fetchCode: Chunk["load"]): Chunk {
  return {
    module,
    load: () =>
      fetchCode().catch((cause: unknown) => {
        throw new Unreachable("The screen cannot be fetched.", { cause });
      }),
  };
}
