import { placeAt, shiftOf } from "./move-item.ts";

/** So near to the window's edge the page scrolls along. */
const EDGE_PX = 72;
const SCROLL_PX = 12;

/**
 * Lets a row of a table follow the pointer until it is let go; the rows between make room. Nothing in the document changes
 * place meanwhile, so that the pointer stays with the row.
 * @param drop hears where it was let go; not where the drag was given up (Escape).
 */
export function dragRow(
  grip: HTMLElement,
  start: PointerEvent,
  drop: (from: number, to: number) => void,
): void {
  const row = grip.closest("tr");
  const body = row?.parentElement;
  if (row === null || !(body instanceof HTMLTableSectionElement)) return;
  const rows = [...body.rows];
  const from = rows.indexOf(row);
  const middles = rows.map(middleOf);
  const startPageY = start.clientY + globalThis.scrollY;
  let clientY = start.clientY;
  let to = from;

  const follow = () => {
    const moved = clientY + globalThis.scrollY - startPageY;
    to = placeAt(middles, from, (middles[from] ?? 0) + moved);
    for (const [index, other] of rows.entries()) {
      const shift = index === from ? moved : shiftOf(index, { from, to }) * row.offsetHeight;
      other.style.transform = shift === 0 ? "" : `translateY(${shift}px)`;
    }
  };
  const stopScrolling = scrollAtEdges(() => clientY, follow);
  const done = new AbortController();
  const end = (dropped: boolean) => {
    done.abort();
    stopScrolling();
    body.classList.remove("dragging");
    row.classList.remove("dragged");
    for (const other of rows) other.style.transform = "";
    if (dropped && to !== from) drop(from, to);
  };

  body.classList.add("dragging");
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

/** Scrolls the page while the pointer is at its upper or lower edge. */
function scrollAtEdges(clientY: () => number, scrolled: () => void): () => void {
  let frame = requestAnimationFrame(step);
  function step() {
    const y = clientY();
    const below = y > globalThis.innerHeight - EDGE_PX ? SCROLL_PX : 0;
    const by = y < EDGE_PX ? -SCROLL_PX : below;
    if (by !== 0) {
      globalThis.scrollBy(0, by);
      scrolled();
    }
    frame = requestAnimationFrame(step);
  }
  return () => cancelAnimationFrame(frame);
}

/** On the page, not in the window. */
function middleOf(row: HTMLElement): number {
  const { top, height } = row.getBoundingClientRect();
  return top + height / 2 + globalThis.scrollY;
}
