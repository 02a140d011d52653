/**
 * JavaScript that lists what is wrong with the boxes of the card: words that lie over other words or under the clock, and a clock that
 * has no room. Words that are cut off count as far as they are seen.
 */
export const CARD_FAULTS = `(() => {
  const card = document.querySelector(".card");
  const seen = (rect, element) => {
    let { left, top, right, bottom } = rect;
    for (let at = element; at !== null && at !== card.parentElement; at = at.parentElement) {
      if (getComputedStyle(at).overflow === "visible") continue;
      const clip = at.getBoundingClientRect();
      left = Math.max(left, clip.left);
      top = Math.max(top, clip.top);
      right = Math.min(right, clip.right);
      bottom = Math.min(bottom, clip.bottom);
    }
    return { left, top, right, bottom };
  };
  const boxes = [];
  const clock = card.querySelector(".clock");
  const faults = [];
  if (clock !== null && clock.checkVisibility()) {
    const { width, height, left, top, right, bottom } = clock.getBoundingClientRect();
    boxes.push({ of: clock, words: "the clock", left, top, right, bottom });
    if (width < 24 || Math.abs(width - height) > 1) faults.push("the clock is " + width + " x " + height);
  }
  const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const parent = text.parentElement;
    if (text.data.trim() === "" || parent.closest(".vh, svg, .clock") || !parent.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const rect of range.getClientRects())
      boxes.push({ of: parent, words: text.data.trim(), ...seen(rect, parent) });
  }
  const EDGE = 2;
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) {
      if (one.of === other.of) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > EDGE && high > EDGE) faults.push(one.words + " | " + other.words);
    }
  }
  return faults;
})()`;
