import { parentPort, workerData } from "node:worker_threads";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import * as v from "valibot";
import { plainSite } from "#src/settings/contract.ts";
import { type Chapter, chapters } from "./all-endpoints.ts";
import { ABOUT, describeApi } from "./describe-api.ts";
import { describeCable } from "./describe-messages.ts";
import { type Guide, guides } from "./programs.ts";
import { endpointSection, withCode } from "./reference-endpoint.ts";
import { referenceStyles } from "./reference-styles.ts";

/** A document that is the same for all clients, and its compressed forms. */
type Document = {
  bytes: Uint8Array<ArrayBuffer>;
  br: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer>;
};
export type Documents = { page: Document; openapi: Document; asyncapi: Document };

/** Close to the smallest, for a tenth of the time. */
const BROTLI_QUALITY = 9;
const files = v.object({ styles: v.string(), mark: v.string(), siteName: v.string() });
const own = v.parse(files, workerData);

// This file is a thread of its own (answer-document.ts): describing all endpoints takes most of a second without a pause.
parentPort?.postMessage({
  page: compressed(referencePage(own), Bun.escapeHTML),
  openapi: compressed(JSON.stringify(describeApi()), inJson),
  asyncapi: compressed(JSON.stringify(describeCable()), inJson),
} satisfies Documents);

function inJson(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}

/** @param write writes the name of the site, which takes the place of the product's, examples included. */
function compressed(text: string, write: (name: string) => string): Document {
  const bytes = new TextEncoder().encode(text.replaceAll(plainSite.name, () => write(own.siteName)));
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return {
    bytes,
    br: new Uint8Array(brotliCompressSync(bytes, { params })),
    gzip: new Uint8Array(gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION })),
  };
}

/** File names under /assets/. */
type Files = { styles: string; mark: string };

/** Renders the API reference as a page without JavaScript. It is the same for all clients. */
function referencePage({ styles, mark }: Files): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>API, Called It</title>
<link rel="stylesheet" href="/assets/${styles}">
<link rel="icon" href="/assets/${mark}" type="image/svg+xml">
<style>${referenceStyles}</style>
</head><body>${pageBody(mark)}</body></html>`;
}

function pageBody(mark: string): string {
  const titles = [...guides, ...chapters.map(({ title }) => ({ id: idOf(title), title }))];
  const list = titles.map(({ id, title }) => `<li><a href="#${id}">${Bun.escapeHTML(title)}</a></li>`);
  const paragraphs = ABOUT.split("\n\n").map((text) => `<p>${withCode(text)}</p>`);
  return `<header class="api-head"><a href="/sessions"><img src="/assets/${mark}" alt="" width="24" height="24">Called It</a>
<nav aria-label="Documents"><a href="/api/openapi.json">OpenAPI 3.1</a><a href="/api/asyncapi.json">AsyncAPI 3</a></nav></header>
<main class="api"><h1>API</h1>
<div class="api-about">${paragraphs.join("")}</div>
<nav aria-label="Chapters"><ul>${list.join("")}</ul></nav>
${guides.map(guideSection).join("\n")}
${chapters.map(chapterSection).join("\n")}
</main>`;
}

function guideSection({ id, title, paragraphs, example }: Guide): string {
  const text = paragraphs.map((paragraph) => `<p>${withCode(paragraph)}</p>`).join("");
  return `<section id="${id}"><h2>${Bun.escapeHTML(title)}</h2><div class="api-about">${text}</div>
<pre class="guide" tabindex="0">${Bun.escapeHTML(example)}</pre></section>`;
}

function chapterSection({ title, about, endpoints }: Chapter): string {
  const sections = Object.entries(endpoints).map(([name, endpoint]) =>
    endpointSection({ name, chapter: title, endpoint }),
  );
  return `<section id="${idOf(title)}"><h2>${Bun.escapeHTML(title)}</h2><p class="dim">${Bun.escapeHTML(about)}</p>
${sections.join("\n")}</section>`;
}

function idOf(title: string): string {
  return title.toLowerCase().replaceAll(" ", "-");
}
