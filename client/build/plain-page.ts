import { TOO_OLD } from "../base/page/too-old-texts.ts";

/**
 * The script that a browser gets which is too old for the app: it shows the page as it is without JavaScript, and says why. It is
 * written in words that every browser reads.
 * @param styles the address of the style sheet from `plainStyles`.
 */
export function plainPage(styles: string): string {
  return `(function(d){var l=d.createElement("link"),p=d.createElement("p");
l.rel="stylesheet";l.href=${JSON.stringify(styles)};d.head.appendChild(l);
p.className="note warn";p.setAttribute("role","status");p.textContent=${JSON.stringify(TOO_OLD)};d.body.insertBefore(p,d.body.firstChild);
[].slice.call(d.querySelectorAll("noscript")).forEach(function(n){n.outerHTML=n.textContent})})(document)
`;
}

/** All styles, with what applies where a page has no script applied, whether the browser knows how to ask for that or not. */
export function plainStyles(allStyles: string): string {
  return allStyles
    .replaceAll(/\(scripting: ?none\)/g, "(min-width:0)")
    .replaceAll(/\(scripting: ?enabled\)/g, "(max-width:0)");
}
