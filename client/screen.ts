import type { ComponentType } from "react";
import type { ActionFunction, LoaderFunction, RouteObject } from "react-router";
import { asPage } from "./answer-as-page.ts";
import type { Chunk } from "./chunks.ts";
import { type Flags, guard } from "./guard.ts";
import type { Handle } from "./handle.ts";

type ScreenRow = {
  path: string;
  title: string;
  heading?: string;
  layout?: Handle["layout"];
  flags?: Flags;
  /** Fetches the data beside the screen's code. A chunk may bring a loader and an action of its own instead. */
  loader?: LoaderFunction;
  action?: ActionFunction;
  /** The screen itself, where its code is always there; else where it is. */
  screen: ComponentType | Chunk;
};

/** One row of the map as a route: its guard, its data, and its code. */
export function screen({ path, title, screen: shown, flags = {}, ...row }: ScreenRow): RouteObject {
  const handle: Handle = {
    flags,
    title,
    heading: row.heading ?? title,
    layout: row.layout ?? "page",
    module: "load" in shown ? shown.module : null,
  };
  return {
    id: path,
    path,
    handle,
    middleware: [guard(flags)],
    ...dataOf(row),
    ...("load" in shown ? { lazy: () => codeOf(shown) } : { Component: shown }),
  };
}

async function codeOf(chunk: Chunk): Promise<Pick<RouteObject, "Component" | "loader" | "action">> {
  const { Component, ...row } = await chunk.load();
  return { Component, ...dataOf(row) };
}

function dataOf({ loader, action }: Pick<ScreenRow, "loader" | "action">) {
  return {
    ...(loader === undefined ? {} : { loader: asPage(loader) }),
    ...(action === undefined ? {} : { action: asPage(action) }),
  };
}
