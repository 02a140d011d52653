import type { ComponentType } from "react";
import type { ActionFunction, LoaderFunction, RouteObject } from "react-router";
import { asPage } from "./answer-as-page.ts";
import { Unreachable } from "./api.ts";
import { type Flags, guard } from "./guard.ts";
import type { Handle } from "./handle.ts";
import type { ScreenName } from "./screens.ts";

type ScreenRow = {
  path: string;
  title: string;
  heading?: string;
  layout?: Handle["layout"];
  flags?: Flags;
  loader?: LoaderFunction;
  action?: ActionFunction;
  /** The screen itself, where its code is always there; else its name in screens.ts. */
  screen: ComponentType | ScreenName;
};

/** One row of the map as a route: its guard, its data, and its code, which is fetched beside the data. */
export function screen(row: ScreenRow): RouteObject {
  const { screen: shown, flags = {}, loader, action } = row;
  const later = typeof shown === "string";
  const handle: Handle = {
    flags,
    title: row.title,
    heading: row.heading ?? row.title,
    layout: row.layout ?? "page",
    module: later ? "client/screens.ts" : null,
  };
  return {
    id: row.path,
    path: row.path,
    handle,
    middleware: [guard(flags)],
    ...(later ? { lazy: { Component: () => loadScreen(shown) } } : { Component: shown }),
    ...(loader === undefined ? {} : { loader: asPage(loader) }),
    ...(action === undefined ? {} : { action: asPage(action) }),
  };
}

/** Code that does not arrive is told like an API that does not answer. */
async function loadScreen(name: ScreenName): Promise<ComponentType> {
  const { screens } = await import("./screens.ts").catch((cause: unknown) => {
    throw new Unreachable("The screen cannot be fetched.", { cause });
  });
  return screens[name];
}
