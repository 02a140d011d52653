/** A person at a browser. Controls are found by what they are called; all waits are for conditions. */
export type Visitor = {
  browser: string;
  open: (url: string) => Promise<void>;
  /** Types into the field with this label. */
  fill: (label: string, text: string) => Promise<void>;
  /** Presses the link or button with this name, or whose name begins with it. */
  press: (name: string) => Promise<void>;
  /** Waits until the page shows a text. */
  sees: (text: string) => Promise<void>;
  close: () => Promise<void>;
};

/** How long a condition may take to become true. */
export const WITHIN_MS = 30_000;

/** Finds the field with a label, as XPath. */
export function fieldPath(label: string): string {
  return `//input[@id=//label[normalize-space()=${quoted(label)}]/@for] | //label[normalize-space()=${quoted(label)}]//input`;
}

/** Finds a link or button by its name, as XPath. */
export function controlPath(name: string): string {
  return `//*[self::a or self::button][normalize-space()=${quoted(name)} or starts-with(@aria-label, ${quoted(name)})]`;
}

/** JavaScript that is true once the page's script runs: until then a press is a plain form's. */
export const IS_LIVE = `document.querySelector("#root[data-hydrated]") !== null`;

/** JavaScript that is true once a text is on the page. */
export function isShown(text: string): string {
  return `document.body.innerText.includes(${JSON.stringify(text)})`;
}

function quoted(text: string): string {
  if (text.includes('"')) throw new Error(`${text} has quotes, which XPath cannot escape.`);
  return `"${text}"`;
}
