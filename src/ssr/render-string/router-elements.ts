import { Form, Link } from "react-router";
import { writeAttribute } from "./attributes.ts";
import { escapeHtml, isOwn, write } from "./output.ts";
import type { Marked, Props } from "./react-internals.ts";

/**
 * A router's Link or Form calls some twelve hooks, only to find its address. They are the most frequent components of all, so
 * those that lead to a plain path are written here at once. In a kept part only such links can be used: others depend on where
 * the page is. The app has no base path.
 */

/** Paths that the router writes as they are: absolute, and with nothing to resolve or to encode. */
const plainPath = /^\/(?:[\w~-]+(?:\/[\w~-]+)*)?(?:\?[\w=&~%.-]+)?$/;

/** What happens when the element is used; it is not written. */
const behaviour = new Set([
  "to",
  "action",
  "reloadDocument",
  "replace",
  "state",
  "preventScrollReset",
  "defaultShouldRevalidate",
  "onClick",
  "onSubmit",
  "ref",
]);
/** Props by which the router writes something else. */
const unusual = new Set([
  "discover",
  "prefetch",
  "relative",
  "mask",
  "viewTransition",
  "fetcherKey",
  "navigate",
  "href",
  "target",
  "data-discover",
  "dangerouslySetInnerHTML",
]);

export function isPlainLink(type: Marked, props: Props): boolean {
  return type === Link && isPlain(props["to"], props);
}

export function isPlainForm(type: Marked, props: Props): boolean {
  return type === Form && isPlain(props["action"], props);
}

function isPlain(path: unknown, props: Props): boolean {
  if (typeof path !== "string" || !plainPath.test(path)) return false;
  for (const name in props) if (unusual.has(name)) return false;
  return true;
}

/** Writes the start of a plain Link. */
export function writeLinkStart(props: Props): void {
  write("<a");
  for (const name in props) {
    if (name === "children" || behaviour.has(name) || !isOwn(props, name)) continue;
    const value = props[name];
    if (value !== null && value !== undefined) writeAttribute(name, value);
  }
  write(` href="${escapeHtml(String(props["to"]))}" data-discover="true">`);
}

/** The props of the <form> that a plain Form renders. */
export function propsOfForm({ action, method = "get", ...props }: Props): Props {
  const written: Record<string, unknown> = {};
  for (const name in props) if (!behaviour.has(name)) written[name] = props[name];
  written["action"] = action;
  written["method"] = typeof method === "string" && method.toLowerCase() === "get" ? "get" : "post";
  written["data-discover"] = "true";
  return written;
}
