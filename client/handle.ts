import type { ComponentType } from "react";
import type { ActionFunction, LoaderFunction } from "react-router";
import type { Flags } from "./guard.ts";

/** What the frame knows about a screen. */
export type Handle = {
  flags: Flags;
  /** For the window's title; the session's name stands behind it. Empty: the session's name alone. */
  title: string;
  /** What stands in the top bar of pages outside a session. */
  heading: string;
  /** `play`: one screen without scrolling. `bare`: no top bar. */
  layout: "page" | "play" | "bare";
  /** The module whose code the screen needs besides the entry's; null where it needs none. */
  module: string | null;
};

/** True for what `screen` puts into a route. */
export function isHandle(value: unknown): value is Handle {
  return typeof value === "object" && value !== null && "layout" in value;
}

/** A screen as a chunk holds it, with what fetches its data and takes its forms. */
export type ScreenInChunk = { Component: ComponentType; loader?: LoaderFunction; action?: ActionFunction };
