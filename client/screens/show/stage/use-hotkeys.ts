import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { keyOf } from "#client/base/browser/key-of.ts";
import { areShortcutKeysOn } from "#client/base/browser/shortcut-keys.ts";
import { useSync } from "#client/base/live/connection.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";

/*
 * Decision: no key runs the show by accident.
 *
 * A key clicks the button with that `data-key`, which is also its `aria-keyshortcuts`: "T", "Space", "Plus", "Enter". It does so
 * only while the room has the focus: `main`, the heading of the stage, or what is armed. On a button of the room letters act
 * too, and Space and Enter press that button. With the focus in a form, on a radio button, a list, a link, in a dialog, in the
 * right column or on nothing, no key acts. Not with a modifier key either, and not when a key that is held down repeats.
 *
 * For a second after the stage has changed, by itself or by an act, the keys rest: a key may mean something else than the host
 * has read. That holds for Enter and Space on a focused button too, and for as long as the page is catching up: what it shows may be
 * over. A key that comes too early, or chooses a row that is gone, lets the rest begin again: the next one belongs to it, such as the
 * T after a 1, or the Enter after a T. U, Escape and ? never rest: they take back, disarm, explain. A digit within a second of another
 * one makes a number of two: 1 chooses action 1, and a 2 after it action 12, if that one waits for a result.
 *
 * The room has the focus when its page is opened: the first Space is served once the host could read for a second what it does.
 * The host gives it the focus by a click on a free place, or by Escape. When a button that has the focus goes away, because
 * the act was done, the room gets it back; when a field goes away in which the host was typing, it does not. While the keys act
 * their caps have a frame (`data-keys` of `main`). Where the host has switched single keys off on the device, Escape alone remains.
 */

const REST_MS = 1_000;
/** They take back, disarm or explain, at any time. */
const RESTLESS = /^(Escape|U|\?)$/;
/** They choose a row of the tray by its number, which may have just left it. */
const ROW = /^\d$/;
/** Names in `data-key` that differ from `event.key`. */
const keyNames: Record<string, string> = { " ": "Space", "+": "Plus" };

/** Differs after each change of what the keys act on. */
export function shownOf({ state }: SessionView, onStage: EventView | null, lost: number): string {
  return `${state} ${onStage?.id} ${onStage?.state} ${lost}`;
}

/**
 * The keys of the room.
 * @param shown differs after each change of the stage.
 */
export function useHotkeys(shown: string): void {
  const rest = useRest(shown);
  useFocusInRoom();
  useEffect(() => showKeys(rest.current.isOn));
  const typed = useRef<Typed>({ digits: "", atMs: 0 });
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    document.addEventListener("keydown", (event) => press(event, rest.current, typed.current), { signal });
    document.addEventListener("click", (event) => ignoreInRest(event, rest.current), {
      signal,
      capture: true,
    });
    document.addEventListener("focusin", () => showKeys(rest.current.isOn), { signal });
    document.addEventListener("focusout", () => showKeys(true), { signal });
    return () => listeners.abort();
  }, [rest]);
}

/** Whether the keys rest, and what lets them rest for a second from now on. */
type Rest = { isOn: boolean; begin: () => void };

function useRest(shown: string): RefObject<Rest> {
  const rest = useRef<Rest>({ isOn: true, begin: () => undefined });
  const isOld = useSync() === "catching-up";
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = () => {
      rest.current.isOn = true;
      showKeys(true);
      clearTimeout(timer);
      if (isOld) return;
      timer = setTimeout(() => {
        rest.current.isOn = false;
        showKeys(false);
      }, REST_MS);
    };
    rest.current.begin = begin;
    begin();
    return () => clearTimeout(timer);
  }, [shown, isOld]);
  return rest;
}

type Typed = { digits: string; atMs: number };

function press(event: KeyboardEvent, rest: Rest, typed: Typed): void {
  const { target } = event;
  const name = nameOf(event);
  if (!acts(event) || !(target instanceof Element && isForRoom(name, target))) return;
  const longer = ROW.test(name) ? longerRow(name, typed, event.timeStamp) : null;
  const button = longer ?? buttonOf(name);
  if (name === "Escape" && button === null) focusRoom();
  if (button === null && !ROW.test(name)) return;
  event.preventDefault();
  // The first of two digits may have chosen a row that is gone: the second one belongs to it.
  const rests = rest.isOn && longer === null && !RESTLESS.test(name);
  clickOrRest(button, rests, rest);
}

function clickOrRest(button: HTMLElement | null, rests: boolean, rest: Rest): void {
  if (button === null || rests) rest.begin();
  else button.click();
}

function buttonOf(name: string): HTMLElement | null {
  return document.querySelector(`main [data-key="${CSS.escape(name)}"]:not([aria-disabled="true"])`);
}

/** The row of the number that a digit makes with the one before it; null without one. */
function longerRow(digit: string, typed: Typed, nowMs: number): HTMLElement | null {
  const digits = nowMs - typed.atMs < REST_MS ? `${typed.digits}${digit}` : digit;
  typed.digits = digits.slice(-1);
  typed.atMs = nowMs;
  return digits.length > 1 ? buttonOf(digits) : null;
}

/** A key of the room, unless a dialog is in front of it, or the host has switched single keys off. */
function acts(event: KeyboardEvent): boolean {
  return isPlainPress(event) && !isCovered() && (areShortcutKeysOn() || event.key === "Escape");
}

/** One press of one key: not held down, and not with others. */
function isPlainPress({ repeat, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  return !(repeat || metaKey || ctrlKey || altKey);
}

/** On other layouts a key has the name of its place, unless what it types is one of the room's signs. */
function nameOf(event: KeyboardEvent): string {
  const key = keyOf(event, (typed) => /^[+?]$/.test(typed));
  return keyNames[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

function isForRoom(name: string, target: Element): boolean {
  if (name === "Escape") return true;
  return name === "Space" || name === "Enter" ? isRoom(target) : takesLetters(target);
}

/** Ignores Enter and Space on a button that has just changed; a pointer is never ignored. */
function ignoreInRest(event: MouseEvent, rest: Rest): void {
  const { detail, target, isTrusted } = event;
  if (!rest.isOn || !isTrusted || detail !== 0 || !(target instanceof Element)) return;
  const button = target.closest<HTMLElement>("main [data-key]");
  if (button === null || RESTLESS.test(button.dataset["key"] ?? "")) return;
  event.preventDefault();
  event.stopPropagation();
  rest.begin();
}

function showKeys(rests: boolean): void {
  const isOn = !rests && areShortcutKeysOn() && takesLetters(document.activeElement);
  document.querySelector("main")?.setAttribute("data-keys", isOn ? "on" : "off");
}

/** Gives the room the focus on a page that has just been opened, and when the button that had it is gone. */
function useFocusInRoom(): void {
  const last = useRef<{ element: Element; returns: boolean } | null>(null);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      last.current = { element: target, returns: target.closest("main") !== null && !isTyping(target) };
    };
    document.addEventListener("focusin", remember);
    if (document.activeElement === document.body) focusRoom();
    return () => document.removeEventListener("focusin", remember);
  }, []);
  useEffect(() => {
    if (document.activeElement !== document.body || last.current === null) return;
    const { element, returns } = last.current;
    if (returns && !element.isConnected) focusRoom();
  });
}

/** Parts of the room that do nothing of their own with a key. */
const ROOM = "[data-takes-keys]";

/** True while a person may be typing or choosing in this element. */
export function isTyping(element: Element | null): boolean {
  return element?.matches("textarea, select, [contenteditable], input:not([type=hidden])") === true;
}

/** True if letters that are pressed on this element are keys of the room: on the room itself, and on its buttons. */
function takesLetters(element: Element | null): boolean {
  if (element === null) return false;
  return isRoom(element) || (element.matches("main button") && !isForOther(element));
}

/** True where keys are meant for something else: the column of players, a question, or a form that is filled in. */
function isForOther(button: Element): boolean {
  if (button.closest("aside, dialog, details") !== null) return true;
  const form = button.closest("form");
  return form !== null && [...form.elements].some(isTyping);
}

/** True for the room itself. On its buttons Space and Enter press the button. */
function isRoom(element: Element): boolean {
  return element.matches(ROOM);
}

/** Gives the room the focus, so that its keys act. */
function focusRoom(): void {
  document.querySelector<HTMLElement>(`main${ROOM}`)?.focus({ preventScroll: true });
}

/** True while a question or a list is open over the room. */
function isCovered(): boolean {
  const open = CSS.supports("selector(:popover-open)") ? ":popover-open" : "[popover][data-open]";
  return document.querySelector(`dialog[open], ${open}`) !== null;
}
