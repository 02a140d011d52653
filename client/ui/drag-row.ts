import { indexAt, shiftOf } from "#client/base/format/move-item.ts";

/** The list scrolls while the pointer is this close to its edge. */
const EDGE_PX = 72;
const SCROLL_PX = 12;

export type Drag = {
  /** The handle that the pointer holds. */
  grip: HTMLElement;
  start: PointerEvent;
  /** All rows in their order, the row with the grip included. */
  rows: readonly HTMLElement[];
};

/**
 * Lets a row follow the pointer until it is released; the rows between move aside. The document order does not change
 * meanwhile, so that the pointer stays on the row.
 * @param drop called with the old and the new index when the row is released elsewhere; not after Escape.
 */
export function dragRow({ grip, start, rows }: Drag, drop: (from: number, to: number) => void): void {
  const from = rows.findIndex((row) => row.contains(grip));
  const row = rows[from];
  const list = row?.parentElement;
  if (row === undefined || list == null) return;
  const view = viewOf(list);
  const middles = rows.map((one) => middleOf(one) + view.top());
  const startAt = start.clientY + view.top();
  let clientY = start.clientY;
  let to = from;

  const follow = () => {
    const moved = clientY + view.top() - startAt;
    to = indexAt(middles, from, (middles[from] ?? 0) + moved);
    for (const [index, other] of rows.entries()) {
      const shift = index === from ? moved : shiftOf(index, { from, to }) * row.offsetHeight;
      other.style.transform = shift === 0 ? "" : `translateY(${shift}px)`;
    }
  };
  const stopScrolling = scrollAtEdges(view, () => clientY, follow);
  const done = new AbortController();
  const end = (dropped: boolean) => {
    done.abort();
    stopScrolling();
    list.classList.remove("dragging");
    row.classList.remove("dragged");
    for (const other of rows) other.style.transform = "";
    if (dropped && to !== from) drop(from, to);
  };

  list.classList.add("dragging");
  row.classList.add("dragged");
  grip.setPointerCapture(start.pointerId);
  const { signal } = done;
  grip.addEventListener(
    "pointermove",
    (event) => {
      clientY = event.clientY;
      follow();
    },
    { signal },
  );
  grip.addEventListener("pointerup", () => end(true), { signal });
  grip.addEventListener("pointercancel", () => end(false), { signal });
  document.addEventListener("keydown", (event) => event.key === "Escape" && end(false), { signal });
}

/** The element that scrolls: its scroll position, its edges in the window, and a way to scroll it, all in pixels. */
type View = {
  top: () => number;
  edges: () => { upper: number; lower: number };
  scrollBy: (byPx: number) => void;
};

/** The list or its nearest ancestor that scrolls; else the page. */
function viewOf(list: HTMLElement): View {
  for (let box: HTMLElement | null = list; box !== null; box = box.parentElement) {
    if (!/auto|scroll/.test(getComputedStyle(box).overflowY) || box.scrollHeight <= box.clientHeight)
      continue;
    if (box === document.scrollingElement) break;
    const scroller = box;
    return {
      top: () => scroller.scrollTop,
      edges: () => {
        const { top, bottom } = scroller.getBoundingClientRect();
        return { upper: top, lower: bottom };
      },
      scrollBy: (byPx) => scroller.scrollBy(0, byPx),
    };
  }
  return {
    top: () => globalThis.scrollY,
    edges: () => ({ upper: 0, lower: globalThis.innerHeight }),
    scrollBy: (byPx) => globalThis.scrollBy(0, byPx),
  };
}

/** Scrolls while the pointer is at the upper or lower edge. Returns a function that ends it. */
function scrollAtEdges(view: View, clientY: () => number, scrolled: () => void): () => void {
  let frame = requestAnimationFrame(step);
  function step() {
    const y = clientY();
    const { upper, lower } = view.edges();
    const below = y > lower - EDGE_PX ? SCROLL_PX : 0;
    const by = y < upper + EDGE_PX ? -SCROLL_PX : below;
    if (by !== 0) {
      view.scrollBy(by);
      scrolled();
    }
    frame = requestAnimationFrame(step);
  }
  return () => cancelAnimationFrame(frame);
}

/** The middle of a row in the window, in pixels from the top. */
function middleOf(row: HTMLElement): number {
  const { top, height } = row.getBoundingClientRect();
  return top + height / 2;
}
