import { charactersOf } from "#src/http/contract.ts";

/**
 * Keeps fields to their number of characters, as people count them: what was just put in beyond it goes again, as by the attribute
 * `maxlength`, which counts an emoji as two or more. What an input method is still composing stays.
 * @returns stops it.
 */
export function keepLength(): () => void {
  document.addEventListener("input", keep, { capture: true });
  return () => document.removeEventListener("input", keep, { capture: true });
}

function keep(event: Event): void {
  const { target: field } = event;
  if (!(field instanceof HTMLInputElement) && !(field instanceof HTMLTextAreaElement)) return;
  const max = Number(field.dataset["characters"] ?? 0);
  if (max === 0 || field.value.length <= max) return;
  if (event instanceof InputEvent && event.isComposing) return;
  const surplus = charactersOf(field.value).length - max;
  if (surplus <= 0) return;
  const caret = field.selectionEnd ?? field.value.length;
  const before = charactersOf(field.value.slice(0, caret));
  field.setRangeText(before.slice(0, Math.max(0, before.length - surplus)).join(""), 0, caret, "end");
}
