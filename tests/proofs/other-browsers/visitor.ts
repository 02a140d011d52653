/** A person at a browser. Controls are found by what they are called; all waits are for conditions. */
export type Visitor = {
  browser: string;
  open: (url: string) => Promise<void>;
  /** Types into the field with this label. */
  fill: (label: string, text: string) => Promise<void>;
  /** Presses the button whose name begins with this, or else the link. */
  press: (name: string) => Promise<void>;
  /** Waits until the page shows a text. */
  sees: (text: string) => Promise<void>;
  /** Waits, in windows of several sizes, until JavaScript finds no faults. @throws with those that it finds to the end. */
  findsNoFaults?: (expression: string) => Promise<void>;
  close: () => Promise<void>;
};

/** How long a condition may take to become true. */
export const WITHIN_MS = 30_000;

/** Finds the field with a label, as XPath. */
export function fieldPath(label: string): string {
  return `//input[@id=//label[normalize-space()=${quoted(label)}]/@for] | //label[normalize-space()=${quoted(label)}]//input`;
}

/** Finds a button by what its name begins with, as XPath; a link where no button has that name. */
export function controlPath(name: string): string {
  const isNamed = `[starts-with(normalize-space(), ${quoted(name)}) or starts-with(@aria-label, ${quoted(name)})]`;
  return `//button${isNamed} | //a${isNamed}[not(//button${isNamed})]`;
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
