import * as React from "react";
import { is, looseObject, nullable, record, string, unknown } from "valibot";

/**
 * The React whose rules this folder repeats. With any other version React renders all pages itself: after an upgrade, run
 * tests/ssr/render-string, and set this.
 */
const REACT_VERSION = "19.3.1";
const NAME = "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE";

/** React reads the hooks of the renderer at work from `H`. */
type Internals = { H: unknown };
const internalsSchema = looseObject({ H: nullable(record(string(), unknown())) });
const internals: unknown = Reflect.get(React, NAME);

/** React's internals; null where this React is not the one that is known here. */
export const reactInternals: Internals | null =
  React.version === REACT_VERSION && is(internalsSchema, internals) ? internals : null;

/**
 * A context. React keeps two values in it, so that two renderers can work side by side. Its streams use the first, this renderer
 * uses the second.
 */
export type Context = {
  $$typeof: symbol;
  _currentValue2: unknown;
  displayName?: string;
  /** Set by client/kept.ts. */
  unsetHandlers?: unknown;
};

/** The kinds of elements and types, as React marks them. */
export const kinds = {
  element: Symbol.for("react.transitional.element"),
  fragment: Symbol.for("react.fragment"),
  strictMode: Symbol.for("react.strict_mode"),
  profiler: Symbol.for("react.profiler"),
  suspense: Symbol.for("react.suspense"),
  context: Symbol.for("react.context"),
  consumer: Symbol.for("react.consumer"),
  forwardRef: Symbol.for("react.forward_ref"),
  memo: Symbol.for("react.memo"),
  lazy: Symbol.for("react.lazy"),
} as const;

export type Props = Readonly<Record<string, unknown>>;

/** A function or class as the type of an element. */
export type Component = ((props: Props, second?: unknown) => unknown) & {
  /** Set by client/kept.ts. */
  kept?: boolean;
  prototype?: { isReactComponent?: unknown };
};

/** Any object that React may meet as a node or as an element's type. All fields are unknown until their kind is. */
export type Marked = {
  readonly $$typeof?: unknown;
  readonly type?: unknown;
  readonly props?: unknown;
  readonly render?: unknown;
  readonly _context?: unknown;
  readonly _payload?: unknown;
  readonly _init?: unknown;
  readonly _currentValue2?: unknown;
  readonly then?: unknown;
};

export function isContext(value: unknown): value is Context {
  if (typeof value !== "object" || value === null) return false;
  const marked: Marked = value;
  return marked.$$typeof === kinds.context && "_currentValue2" in value;
}

export function isComponent(type: unknown): type is Component {
  return typeof type === "function";
}

export function isProps(value: unknown): value is Props {
  return typeof value === "object" && value !== null;
}
