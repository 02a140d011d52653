import { createContext, type ReactNode, Suspense, useContext } from "react";

/**
 * True where the server renders a page whose data is all there, by React's renderToString. That neither waits for a part nor reports
 * its error: it silently leaves the part to the browser. So there a fallback throws, and the page is rendered by React's stream.
 */
export const CompletePage = createContext(false);

/** A <Suspense> whose fallback is never part of a complete page. */
export function Boundary({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  return <Suspense fallback={<Fallback>{fallback}</Fallback>}>{children}</Suspense>;
}

function Fallback({ children }: { children: ReactNode }) {
  if (useContext(CompletePage)) throw new Error("A part of a complete page is not ready, or has failed.");
  return children;
}
