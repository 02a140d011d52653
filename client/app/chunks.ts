import { isAnswered } from "#client/base/api/is-answered.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { addStyles } from "#client/base/browser/add-styles.ts";
import type { ScreenInChunk } from "#client/base/page/handle.ts";
import type { accountScreens } from "./account-screens.ts";
import type { adminScreens } from "./admin-screens.ts";
import { CodeGone } from "./frame/reload-lost.ts";
import type { screens } from "./screens.ts";
import type { signInScreens } from "./sign-in-screens.ts";

/** The code of a screen that is not part of the entry: its module, and how to fetch it. */
export type Chunk = { module: string; load: () => Promise<ScreenInChunk> };

/** A screen around the game. */
export function playerScreen(name: keyof typeof screens): Chunk {
  return chunk("client/app/screens.ts", async () => (await import("./screens.ts")).screens[name]);
}

/** A screen for admins and operators; players never load its code. */
export function adminScreen(name: keyof typeof adminScreens): Chunk {
  return chunkWithStyles(
    "client/app/admin-screens.ts",
    async () => (await import("./admin-screens.ts")).adminScreens[name],
  );
}

/** A screen to sign in, to register, to play as a guest, or to leave. */
export function signInScreen(name: keyof typeof signInScreens): Chunk {
  return chunk(
    "client/app/sign-in-screens.ts",
    async () => (await import("./sign-in-screens.ts")).signInScreens[name],
  );
}

/** A screen of the viewer's own account: settings, wallet, shares. */
export function accountScreen(name: keyof typeof accountScreens): Chunk {
  return chunk(
    "client/app/account-screens.ts",
    async () => (await import("./account-screens.ts")).accountScreens[name],
  );
}

/** What makes a visitor a guest. Only strangers fetch it. */
export async function loadPlayAsGuest() {
  return (await import("./sign-in-screens.ts").catch(reportMissing)).playAsGuest;
}

/** The big screen of a session. */
export const stageScreen = chunkWithStyles(
  "client/screens/stage/stage-screen.tsx",
  async () => (await import("#client/screens/stage/stage-screen.tsx")).stageScreen,
);

/** The replay of a session. */
export const replayScreen = chunkWithStyles(
  "client/screens/replay/replay-screen.tsx",
  async () => (await import("#client/screens/replay/replay-screen.tsx")).replayScreen,
);

/** A chunk whose screens need styles that other pages do not have. */
function chunkWithStyles(module: string, fetchCode: Chunk["load"]): Chunk {
  return chunk(module, async () => {
    const [screen] = await Promise.all([fetchCode(), addStyles(module)]);
    return screen;
  });
}

/**
 * Code that cannot be fetched is reported like an API that does not answer. Where the server does answer, the code is gone: its page
 * is loaded whole.
 */
function chunk(module: string, fetchCode: Chunk["load"]): Chunk {
  return { module, load: () => fetchCode().catch(reportMissing) };
}

async function reportMissing(cause: unknown): Promise<never> {
  if (await isAnswered()) throw new CodeGone("The code of this page is gone.", { cause });
  throw new Unreachable("The code of this page cannot be fetched.", { cause });
}
