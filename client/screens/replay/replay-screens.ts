import type { ScreenInChunk } from "#client/base/page/handle.ts";
import { loadReplay } from "./load-replay.ts";
import { ReplayScreen } from "./replay-screen.tsx";

/** The replay, in a chunk of its own: few viewers open it. */
export const replayScreen = { Component: ReplayScreen, loader: loadReplay } satisfies ScreenInChunk;
