import { expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { createElement, Fragment, type ReactNode, Suspense } from "react";
import { renderString } from "#src/ssr/render-string/render-string.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { renderByReact } from "./compare.ts";

const TREES = 2_000;

// React's development build explains each odd attribute.
const spy = spyOn(console, "error").mockImplementation(() => undefined);
afterFile(() => spy.mockRestore());

const props =
  `className id title lang dir role tabIndex htmlFor hidden disabled readOnly required multiple checked autoFocus
  name value defaultValue defaultChecked type href src action method target rel width height viewBox fill strokeWidth
  strokeLinecap fontSize xlinkHref xmlLang d pathLength aria-hidden aria-label data-x data-Y contentEditable draggable
  spellCheck download capture cols rows size span rowSpan colSpan start maxLength inputMode autoComplete popover popoverTarget
  popoverTargetAction noValidate open inert loop muted playsInline style onClick onX suppressHydrationWarning srcDoc acceptCharset
  crossOrigin httpEquiv dateTime encType formAction formMethod enterKeyHint unknownThing is itemScope mediaGroup cellPadding
  preserveAspectRatio vectorEffect strokeDasharray gradientTransform focusable key2 x-y`.split(/\s+/);

const elements =
  `div span p a b svg path g button form input select option textarea label table tbody tr td ul li br hr img pre
  h1 dl dt dd time output dialog nav main section svg circle text video`.split(/\s+/);

const text = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    `a"b'c<d>&e`,
    "\n",
    "0",
    "true",
    "javascript:alert(1)",
    "/path?a=1&b=2",
    "🎲",
    "مرحبا",
    "</p>",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);
const style = fc.dictionary(
  fc.constantFrom(
    "color",
    "marginTop",
    "lineHeight",
    "--x",
    "WebkitFlex",
    "msFlex",
    "zIndex",
    "opacity",
    "fontSize",
  ),
  fc.oneof(text, fc.integer(), fc.double(), fc.constant(null), fc.boolean()),
  { maxKeys: 3 },
);
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined, () => undefined, Symbol.iterator, Number.NaN, 0, -0, 1n),
);

const attributes = fc
  .array(fc.tuple(fc.constantFrom(...props), value, style), { maxLength: 5 })
  .map((drawn) =>
    Object.fromEntries(drawn.map(([name, plain, css]) => [name, name === "style" ? css : plain])),
  );

const { node } = fc.letrec<{ node: ReactNode }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    fc.integer(),
    fc.constantFrom(null, undefined, true, false, 0),
    fc.array(tie("node"), { maxLength: 4 }),
    fc
      .tuple(fc.constantFrom(...elements), attributes, fc.array(tie("node"), { maxLength: 4 }))
      .map(([name, own, children]) => createElement(name, own, ...children)),
    fc
      .tuple(fc.constantFrom(Fragment, Suspense), fc.array(tie("node"), { maxLength: 3 }))
      .map(([kind, children]) => createElement(kind, {}, ...children)),
  ),
}));

/** What may be left to React: mistakes, and what the app does not have. */
const leftOn = [
  "an attribute that is no text",
  "an address of an unusual kind",
  "an empty address",
  "a picture at an unusual address",
  "a form action that is code",
  "a <pre> that begins with a line break or is HTML",
  "an <option> whose value is no text",
  "a <select> whose value is no text",
  "a <textarea> whose value is no text",
  "a <textarea> with children",
  "an <input> with content",
  "<br with content",
  "<hr with content",
  "an <img> with children",
  "an <img> with crossOrigin",
  "an attribute with an unusual name",
];

test(`${TREES} random trees of elements are what React renders, or are left to it for a known reason`, () => {
  let same = 0;
  fc.assert(
    fc.property(node, (tree) => {
      const { html, leftToReact, error } = renderString(tree);
      expect(error).toBeNull();
      if (html === null) {
        expect(leftOn).toContain(String(leftToReact));
        return;
      }
      expect(html).toBe(renderByReact(tree));
      same += 1;
    }),
    { numRuns: TREES, seed: 7 },
  );
  expect(same).toBeGreaterThan(TREES / 4);
});
