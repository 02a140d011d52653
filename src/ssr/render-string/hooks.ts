import { KeptPartError } from "./kept-part-error.ts";
import { leaveToReact, output } from "./output.ts";
import { isContext, kinds, type Marked } from "./react-internals.ts";
import { takeId } from "./tree-position.ts";

/**
 * What React's hooks do while a page is rendered to a string: each component runs once, so state is its first value and effects
 * do nothing. A hook that is not listed is undefined, so its component throws and React renders the page.
 */
export const hooks = {
  readContext,
  use,
  useContext: readContext,
  useState: (initial: unknown) => [isCode(initial) ? initial() : initial, changeState],
  useReducer: (_reducer: unknown, initial: unknown, init?: (initial: unknown) => unknown) => [
    init === undefined ? initial : init(initial),
    changeState,
  ],
  useMemo: (create: () => unknown) => create(),
  useCallback: (callback: unknown) => callback,
  useRef: (initial: unknown) => ({ current: initial }),
  useEffect: nothing,
  useLayoutEffect: nothing,
  useInsertionEffect: nothing,
  useImperativeHandle: nothing,
  useDebugValue: nothing,
  useEffectEvent: () => () => leaveToReact("an effect's event that is called while rendering"),
  useDeferredValue: (value: unknown, initial?: unknown) => (initial === undefined ? value : initial),
  useTransition: () => [false, changeState],
  useOptimistic: (value: unknown) => [value, changeState],
  useSyncExternalStore,
  useId,
} as const;

function nothing(): void {
  // Effects do not run on the server.
}

function isCode(value: unknown): value is () => unknown {
  return typeof value === "function";
}

/** A change of state during rendering makes React render the component again. Later there is nothing to change. */
function changeState(): void {
  if (isRendering()) leaveToReact("a change of state while rendering");
}

let rendering = false;

export function isRendering(): boolean {
  return rendering;
}

export function setRendering(now: boolean): void {
  rendering = now;
}

function readContext(context: unknown): unknown {
  if (!isContext(context)) leaveToReact("a context of an unknown kind");
  const { ownContexts } = output;
  if (ownContexts !== null && !ownContexts.has(context)) {
    if (context.unsetHandlers !== undefined) return context.unsetHandlers;
    throw new KeptPartError(
      `A kept part depends on its props alone. It cannot read the context ${context.displayName ?? "of the page"}: pass what it needs as a prop.`,
    );
  }
  return context._currentValue2;
}

function use(usable: unknown): unknown {
  if (typeof usable !== "object" || usable === null) leaveToReact("use() of an unknown kind");
  const marked: Marked & { status?: unknown; value?: unknown } = usable;
  if (marked.$$typeof === kinds.context) return readContext(usable);
  if (typeof marked.then === "function" && marked.status === "fulfilled") return marked.value;
  return leaveToReact("data that is still to come");
}

function useSyncExternalStore(_subscribe: unknown, _read: unknown, readOnServer?: () => unknown): unknown {
  return readOnServer === undefined ? leaveToReact("a store that the server cannot read") : readOnServer();
}

function useId(): string {
  if (output.ownContexts !== null)
    throw new KeptPartError(
      "A kept part cannot call useId: the id depends on where the part is. Pass an id as a prop.",
    );
  return takeId();
}
