// Decision: a browser that is older than those that are supported (README.md) gets the page as it is without JavaScript, and one
// sentence. Nothing of the app runs in it: half of an app is a white page, or a press that does nothing. The look is a classic script
// in words that every browser reads, because an old one may not even parse the app.

/** What the app needs, that some old browser lacks, and that the app does not make itself (client/base/browser/older-functions.ts). */
export const NEEDED = [
  "AbortSignal.timeout",
  "Array.prototype.at",
  "Array.prototype.findLast",
  "Object.hasOwn",
  "String.prototype.replaceAll",
  "CSS.supports",
] as const;
const NEEDED_STYLES = [
  ["container-type", "size"],
  ["height", "1dvh"],
] as const;

/** @param script what an old browser gets instead of the app, under /assets/ (client/build/plain-page.ts). */
export function lookAtBrowser(script: string, nonce: string): string {
  return `<script nonce="${nonce}">${LOOK}("/assets/${script}")</script>`;
}

const supports = NEEDED_STYLES.map((style) => `CSS.supports(${style.map((word) => `"${word}"`).join()})`);
const LOOK = `(function(w,d){function has(n){for(var o=w,p=n.split("."),i=0;o&&i<p.length;i++)o=o[p[i]];return o}return function(f,s){if("${NEEDED.join(" ")}".split(" ").every(has)&&${supports.join("&&")})return;w.tooOld=!0;s=d.createElement("script");s.src=f;d.body.appendChild(s)}})(window,document)`;
