import type { ComponentType } from "react";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router";
import type { PageReads } from "#src/pages/page-read/contract.ts";
import type { Api } from "../api/api.ts";
import type { Flags } from "./guard.ts";

/** What the frame knows about a screen; the route's `handle`. */
export type Handle = {
  flags: Flags;
  /** What the server reads for the page, in one statement, before the loaders run. */
  reads: PageReads;
  /** It has a form that carries a file, so what it sends may be as large as a file. */
  carriesFile?: true;
  /** For the window's title, followed by the session's name. Empty: the session's name alone. */
  title: string;
  /** Heading in the top bar of pages outside a session. */
  heading: string;
  /** `play`: one screen without scrolling. `bare`: no top bar. `stage`: no frame at all. */
  layout: "page" | "play" | "bare" | "stage";
  /** The module with the screen's code; null if that is part of the entry. */
  module: string | null;
};

export function isHandle(value: unknown): value is Handle {
  return typeof value === "object" && value !== null && "layout" in value;
}

/** What a loader gets: the router's arguments, and the API, whose requests end with that of the router. */
export type LoaderArgs = LoaderFunctionArgs & { api: Api };
export type Loader = (args: LoaderArgs) => unknown;

/** What an action gets. Its requests go on when the viewer leaves the page. */
export type ActionArgs = ActionFunctionArgs & { api: Api };
export type Action = (args: ActionArgs) => unknown;

export type ScreenInChunk = { Component: ComponentType; loader?: Loader; action?: Action };
