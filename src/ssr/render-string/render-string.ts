import { hooks, isRendering, setRendering } from "./hooks.ts";
import { LeftToReact, output, resetOutput, takePieces } from "./output.ts";
import { pictureLinks } from "./picture.ts";
import { reactInternals } from "./react-internals.ts";
import { renderNode } from "./render-node.ts";

/** The HTML; or why React has to render the page, or what a component has thrown. */
type StringRendering = { html: string | null; leftToReact: string | null; error: unknown };

/**
 * Renders React elements to the string that React itself would write, byte for byte, at about a tenth of its cost.
 *
 * Why: React's server renderer is made for streams: it collects small pieces with what is needed to wait, to resume and to
 * explain errors. A page whose data is there needs none of that. Most of all, React knows no part that was rendered before: here
 * a kept part (client/kept.ts) is rendered once for its props.
 *
 * How it is held to React: what it does not know, it leaves to React (leaveToReact), as well as a component that throws, so that
 * errors appear as ever. tests/ssr/render-string compares every page of the product, and generated elements, with React's own
 * output. With another version of React it is switched off (react-internals.ts).
 */
export function renderString(node: unknown): StringRendering {
  if (reactInternals === null) return left("another version of React");
  if (isRendering()) return left("a page within a component of another page");
  const reactsHooks = reactInternals.H;
  resetOutput();
  reactInternals.H = hooks;
  setRendering(true);
  try {
    renderNode(node);
    const { leftToReact } = output;
    if (leftToReact !== null) return left(leftToReact);
    return { html: pictureLinks() + takePieces(0), leftToReact, error: null };
  } catch (error) {
    return error instanceof LeftToReact ? left(error.message) : { html: null, leftToReact: null, error };
  } finally {
    setRendering(false);
    reactInternals.H = reactsHooks;
    resetOutput();
  }
}

function left(reason: string): StringRendering {
  return { html: null, leftToReact: reason, error: null };
}
