import type { ComponentType } from "react";
import type { RouteObject } from "react-router";
import { actionOf, loaderOf } from "#client/base/page/error-responses.ts";
import { type Flags, guard } from "#client/base/page/guard.ts";
import type { Handle, Loader, Action } from "#client/base/page/handle.ts";
import type { PageReads } from "#src/pages/page-read/contract.ts";
import type { Chunk } from "./chunks.ts";

type ScreenRow = {
  /** It is the route's id too. */
  path: string;
  title: string;
  heading?: string;
  layout?: Handle["layout"];
  flags?: Flags;
  reads?: PageReads;
  carriesFile?: true;
  /** Fetches the data while the screen's code is fetched. A chunk may bring its own loader and action instead. */
  loader?: Loader;
  action?: Action;
  /** The screen itself if its code is part of the entry, else its chunk. */
  screen: ComponentType | Chunk;
};

/** Makes a route of one screen: its guard, its data and its code. */
export function screen({ path, title, screen: target, flags = {}, ...row }: ScreenRow): RouteObject {
  const handle: Handle = {
    flags,
    reads: row.reads ?? {},
    title,
    heading: row.heading ?? title,
    layout: row.layout ?? "page",
    module: "load" in target ? target.module : null,
    ...(row.carriesFile === true ? { carriesFile: true } : {}),
  };
  return {
    id: path,
    path,
    handle,
    middleware: [guard(flags)],
    ...dataOf(row),
    ...("load" in target ? { lazy: () => loadCode(target) } : { Component: target }),
  };
}

/** The routes of screens that are alike. @param shared what a row does not say itself. */
export function screensOf<Code>(
  chunkOf: (code: Code) => Chunk,
  shared: Partial<ScreenRow>,
  rows: readonly (Omit<ScreenRow, "screen"> & { code: Code })[],
): RouteObject[] {
  return rows.map(({ code, ...row }) => screen({ ...shared, ...row, screen: chunkOf(code) }));
}

async function loadCode(chunk: Chunk): Promise<Pick<RouteObject, "Component" | "loader" | "action">> {
  const { Component, ...row } = await chunk.load();
  return { Component, ...dataOf(row) };
}

function dataOf({ loader, action }: Pick<ScreenRow, "loader" | "action">) {
  return {
    ...(loader === undefined ? {} : { loader: loaderOf(loader) }),
    ...(action === undefined ? {} : { action: actionOf(action) }),
  };
}
