import { isAnswered } from "#client/base/api/is-answered.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { addStyles } from "#client/base/browser/add-styles.ts";
import type { ScreenInChunk } from "#client/base/page/handle.ts";
import { CodeGone } from "./frame/reload-lost.ts";

/** The code of a screen that is not part of the entry: its module, and how to fetch it. */
export type Chunk = { module: string; load: () => Promise<ScreenInChunk> };

export const playerScreen = screensIn(
  "client/app/screens.ts",
  async () => (await import("./screens.ts")).screens,
);

/** A screen for admins and operators; players never load its code. */
export const adminScreen = screensIn(
  "client/app/admin-screens.ts",
  async () => (await import("./admin-screens.ts")).adminScreens,
  addStyles,
);

/** A screen to sign in, to register, to play as a guest, or to leave. */
export const signInScreen = screensIn(
  "client/app/sign-in-screens.ts",
  async () => (await import("./sign-in-screens.ts")).signInScreens,
);

/** A screen of the viewer's own account: settings, wallet, shares. */
export const accountScreen = screensIn(
  "client/app/account-screens.ts",
  async () => (await import("./account-screens.ts")).accountScreens,
);

/** What makes a visitor a guest. Only strangers fetch it. */
export async function loadPlayAsGuest() {
  return (await import("./sign-in-screens.ts").catch(reportMissing)).playAsGuest;
}

export const stageScreen = screensIn<"stageScreen">(
  "client/screens/stage/stage-screen.tsx",
  () => import("#client/screens/stage/stage-screen.tsx"),
  addStyles,
)("stageScreen");

export const replayScreen = screensIn<"replayScreen">(
  "client/screens/replay/replay-screen.tsx",
  () => import("#client/screens/replay/replay-screen.tsx"),
  addStyles,
)("replayScreen");

/**
 * The screens of a module. Code that cannot be fetched is reported like an API that does not answer. Where the server does answer, the
 * code is gone: its page is loaded whole.
 * @param fetchStyles where they need styles that other pages do not have.
 */
function screensIn<Name extends string>(
  module: string,
  fetchScreens: () => Promise<Record<Name, ScreenInChunk>>,
  fetchStyles: (module: string) => Promise<void> = async () => {},
): (name: Name) => Chunk {
  const load = () => Promise.all([fetchScreens(), fetchStyles(module)]).catch(reportMissing);
  return (name) => ({ module, load: async () => (await load())[0][name] });
}

async function reportMissing(cause: unknown): Promise<never> {
  if (await isAnswered()) throw new CodeGone("The code of this page is gone.", { cause });
  throw new Unreachable("The code of this page cannot be fetched.", { cause });
}
