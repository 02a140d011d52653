import type { ScreenInChunk } from "#client/base/page/handle.ts";
import { loadStage } from "./load-stage.ts";
import { StageScreen } from "./stage-screen.tsx";

/** The big screen, in a chunk of its own: players never load its code. */
export const stageScreen = { Component: StageScreen, loader: loadStage } satisfies ScreenInChunk;
