import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import { findTexts } from "./find-texts.ts";

const MODULE_OF_TEXTS = /(^|\/)[\w-]*texts\.ts$/;

test("all texts of the client are in modules of texts", () => {
  const files = [...new Glob("client/**/*.{ts,tsx}").scanSync(".")].filter(
    (file) => !MODULE_OF_TEXTS.test(file) && !file.startsWith("client/build/") && !file.endsWith(".d.ts"),
  );
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    findTexts(file, readFileSync(file, "utf8")).map(({ line, text }) => `${file}:${line} ${text}`),
  );
  expect(found).toEqual([]);
});

describe("a text is found", () => {
  test.each([
    ["between tags", "<p>Hello</p>"],
    ["between tags, beside a value", "<p>{count} calls</p>"],
    ["in an expression", `<p>{busy ? "wait" : null}</p>`],
    ["in a template", "<p>{`wait ${seconds}`}</p>"],
    ["in a label for screen readers", `<nav aria-label="main" />`],
    ["in a title", "<a title={`open ${name}`} />"],
    ["in a placeholder", `<input placeholder={empty ? "name" : ""} />`],
    ["in the alternative of a picture", `<img alt="cat" />`],
    ["in the prop of a part", `<Note heading="Not saved" />`],
    ["in an object", `({ won: "Won" })`],
    ["in a sentence elsewhere", "say(`${name} has not started yet`)"],
    ["in a word after a value", "say(`${name} (you)`)"],
    ["in a word before a value", "say(`ends ${clock}`)"],
    ["in a word between values", "say(`${done}, balance ${all}`)"],
    ["in the noun of a count", `countOf(count, "call")`],
  ])("%s", (_, code) => {
    expect(findTexts("client/part.tsx", code)).toHaveLength(1);
  });
});

test("what is for the browser or the log is not a text", () => {
  const code = `
    import { a } from "./some words.ts";
    type Side = "Left side" | "Right side";
    if (key === "Escape" || "Notification" in globalThis) throw new TypeError("It is not a side.");
    document.querySelector("main section");
    const selector = \`main [data-key="\${key}"]\`, length = \`\${px}px\`, className = \`side \${side} mine\`;
    const channel = "UserChannel", path = "/users/sign_in?now", media = "(prefers-contrast: more), (width > 3rem)";
    const part = <p className="small muted" role="status">{texts.hello} {" · "} {count}</p>;`;
  expect(findTexts("client/part.tsx", code)).toEqual([]);
});
