import type { Context } from "react";

/** The fields that React's development build adds to a context. */
type MarkedContext = { _currentRenderer: unknown };

const contexts = new Set<Context<unknown> & Partial<MarkedContext>>();

/**
 * Records every React context that is created from now on. It has to run before any module imports React.
 *
 * Why: React's server renderer marks each context that it renders, and never removes the mark. Where one test process runs
 * pages (react-dom/server) and components in a DOM (react-dom/client), React then warns about two concurrent renderers, although
 * they run one after the other.
 */
export function recordContexts(react: { createContext: (value: unknown) => Context<unknown> }): void {
  const { createContext } = react;
  react.createContext = (value) => {
    const context = createContext(value);
    contexts.add(context);
    return context;
  };
}

/** Removes the server renderer's marks, so that a test can render the same contexts in a DOM. */
export function clearRendererMarks(): void {
  for (const context of contexts) context._currentRenderer = null;
}
