import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildClient, ENTRY } from "#client/build/build.ts";
import { compressFiles } from "#client/build/compress-files.ts";

/** The bare page's address. */
export type BarePage = { url: string; stop: () => Promise<void> };

const FOREVER = "public, max-age=31536000, immutable";

/**
 * Serves a page with the markup of a product's page, in three requests: the document, all styles of the product as a linked
 * file, without fonts, and React with a tree of the same markup. All are compressed like the product's.
 * @param markup the content of the app's root element.
 */
export async function startBarePage(markup: string): Promise<BarePage> {
  const { script, styles } = await buildFiles();
  const document = new Uint8Array(Bun.zstdCompressSync(Buffer.from(documentAround(markup))));
  const html = { "content-type": "text/html; charset=utf-8", "content-encoding": "zstd" };
  const file = { "content-encoding": "br", "cache-control": FOREVER };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    routes: {
      "/": () => new Response(document, { headers: html }),
      "/styles.css": () => new Response(styles, { headers: { ...file, "content-type": "text/css" } }),
      "/bare.js": () => new Response(script, { headers: { ...file, "content-type": "text/javascript" } }),
      "/*": () => new Response(null, { status: 404 }),
    },
  });
  return { url: `http://127.0.0.1:${server.port}/`, stop: () => server.stop(true) };
}

/** Builds the script and the styles, and compresses them like the product's. */
async function buildFiles(): Promise<Record<"script" | "styles", Uint8Array<ArrayBuffer>>> {
  const dir = mkdtempSync(path.join(tmpdir(), "called-it-bare-"));
  try {
    await Bun.build({
      entrypoints: [path.join(import.meta.dir, "bare-entry.tsx")],
      outdir: dir,
      target: "browser",
      minify: true,
      sourcemap: "external",
      conditions: ["production"],
      define: { "process.env.NODE_ENV": '"production"' },
    });
    writeFileSync(path.join(dir, "styles.css"), await stylesWithoutFonts());
    await compressFiles(dir);
    const compressed = (end: string) => {
      const name = readdirSync(dir).find((file) => file.endsWith(end));
      if (name === undefined) throw new Error(`The bundler made no ${end}.`);
      return new Uint8Array(readFileSync(path.join(dir, name)));
    };
    return { script: compressed(".js.br"), styles: compressed(".css.br") };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function stylesWithoutFonts(): Promise<string> {
  const { manifest } = await buildClient();
  return (manifest.sheets[ENTRY]?.text ?? "").replaceAll(/@font-face ?\{[^}]*\}/g, "");
}

function documentAround(markup: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>Bare</title>
<link rel="stylesheet" href="/styles.css">
<link rel="icon" href="data:,">
<script type="module" src="/bare.js"></script>
</head><body><div id="root">${markup}</div></body></html>`;
}
