import { expect, test } from "bun:test";
import fc from "fast-check";
import { writePage } from "#src/show/site/write-page.ts";
import { all, parsePage } from "#tests/pages/ssr/parse-page.ts";

const pageOf = (text: string) => {
  const page = writePage({ name: "house-rules", text });
  return { ...page, body: parsePage(`<!doctype html><body>${page.html}</body>`) };
};

test("a page has the address of its file, the first heading as title, and the first paragraph as description", () => {
  const { body, ...page } = pageOf('Before.\n\nThe *House* & its "rules"\n===\n\n## Next\n\nText.');
  expect(page).toMatchObject({
    path: "/pages/house-rules",
    title: 'The House & its "rules"',
    description: "Before.",
  });
  // The title is above the text, and not in it.
  expect(all(body, "h1, h2").map((heading) => heading.textContent)).toEqual(["Next"]);
  expect(pageOf("Only text.").title).toBe("House rules");
});

test("links lead to web addresses, mail addresses, phones and places of the site alone", () => {
  const good = [
    "https://example.com/a?b=1&c=2",
    "mailto:a@example.com",
    "tel:+44117",
    "/pages/privacy",
    "#top",
  ];
  const bad = [
    "javascript:alert(1)",
    "JaVaScript&colon;alert(1)",
    "data:text/html,x",
    "//evil.example",
    "vbscript:x",
  ];
  const { body } = pageOf([...good, ...bad].map((href) => `[link](<${href}>)`).join("\n\n"));
  expect(all(body, "a").map((link) => link.getAttribute("href"))).toEqual([...good, ...bad.map(() => null)]);
});

/** What a page may be made of. */
const ALLOWED =
  "html head body a blockquote br code del em h1 h2 h3 h4 h5 h6 hr img input li ol p pre strong table tbody td th thead tr ul";
const pieces = fc.constantFrom(
  ..."# |\n\n|<script>|</script>|<img src=x onerror=alert(1)>|<b onclick=x>|<!--|-->|<![CDATA[|[a](|)|![|](|]|javascript:x|\"|'|`|```\n|".split(
    "|",
  ),
  "| a | b |\n|--|--|\n",
  "- ",
  "1. ",
  "> ",
  "* * *\n",
  "&lt;script&gt;",
  '<https://a.example/"onx=1>',
  "[x]: javascript:x\n",
  "\\",
  "\t",
);

test("whatever a file says, nothing in its page runs, and its HTML is text", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const { body } = pageOf(parts.join(""));
      for (const element of all(body, "*")) {
        expect(ALLOWED.split(" ")).toContain(element.tagName.toLowerCase());
        const names = [...element.attributes].map(({ name }) => name.toLowerCase());
        expect(names.filter((name) => name.startsWith("on"))).toEqual([]);
        expect(element.getAttribute("href") ?? "#").toMatch(/^(https?:|mailto:|tel:|\/(?!\/)|#)/i);
      }
    }),
    { numRuns: 400 },
  );
});
