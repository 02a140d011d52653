import { type Context, createContext, type FunctionComponent, memo, type NamedExoticComponent } from "react";

/**
 * Marks a component whose HTML follows from its props alone: a pure function of plain values, which reads no context and takes no
 * id. The server renders it once for the same props, keeps the HTML, and writes it into the pages of all viewers
 * (src/ssr/render-string/kept-parts.ts). There a kept part that reads a context throws, so nothing of one viewer can get to
 * another. Nonces, anti-forgery tokens and idempotency keys are never its props, and neither are the viewer's name and address.
 *
 * Where a prop is no plain value, the server renders it like any other component. The browser renders it again only when a prop
 * has changed.
 */
export function kept<Props extends object>(component: FunctionComponent<Props>): NamedExoticComponent<Props> {
  return memo(Object.assign(component, { kept: true }));
}

/**
 * A context that a kept part may read: it has nothing but handlers, which do not change the HTML.
 * @param unset the handlers where there is no provider, and in all kept parts on the server.
 */
export function createHandlersContext<Handlers extends object>(unset: Handlers): Context<Handlers> {
  return Object.assign(createContext(unset), { unsetHandlers: unset });
}
