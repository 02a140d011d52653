import type { ScreenInChunk } from "./handle.ts";
// Needed by all code, so that the bundler leaves React whole in one chunk.
import "react-dom/client";

/** The screens of those who run the show, with their data and forms, in a chunk that players never load. */
export const adminScreens = {} satisfies Record<string, ScreenInChunk>;
