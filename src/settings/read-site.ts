import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { SaxesParser } from "saxes";
import { type ReadSettings, SettingsError } from "./settings.ts";

// Decision: the site's files are read once, when a process starts, so that a file which is wrong or gone stops a start and no page.

const LOGO_BYTES_MAX = 262_144;
const PAGE_BYTES_MAX = 262_144;
const PAGES_MAX = 20;
const PAGE_FILE = /^([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)\.md$/;
const RESTART = "Then start again.";

export type SiteSettings = ReturnType<typeof siteOf>;
/** @param type "svg", "png" or "webp" */
export type SiteLogo = { bytes: Uint8Array<ArrayBuffer>; type: keyof typeof logoTypes };
/** The text of a page in Markdown, by the name in its address. */
type PageFile = { name: string; text: string };

/** @throws SettingsError for a logo or a page that cannot be used. */
export function siteOf({ SITE_NAME, SITE_LOGO, SITE_ACCENT, SITE_PAGES }: ReadSettings) {
  return {
    name: SITE_NAME,
    logo: SITE_LOGO === undefined ? null : readLogo(path.resolve(SITE_LOGO)),
    accent: SITE_ACCENT ?? null,
    pages: SITE_PAGES === undefined ? [] : readPages(path.resolve(SITE_PAGES)),
  };
}

const logoTypes = {
  png: (bytes: Buffer) => bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex")),
  webp: (bytes: Buffer) => /^RIFF....WEBP/s.test(bytes.toString("latin1", 0, 12)),
  svg: (bytes: Buffer) => isSvg(bytes.toString()),
};

function readLogo(file: string): SiteLogo {
  const bytes = readSiteFile("SITE_LOGO", file, LOGO_BYTES_MAX);
  const types: readonly (keyof typeof logoTypes)[] = ["png", "webp", "svg"];
  const type = types.find((name) => logoTypes[name](bytes));
  if (type !== undefined) return { bytes: new Uint8Array(bytes), type };
  throw new SettingsError(
    `SITE_LOGO ${file} is no SVG, PNG or WebP file that can be shown. Save the logo as one of these. ${RESTART}`,
  );
}

/** True for a whole XML document whose element is an svg. */
function isSvg(text: string): boolean {
  let root = "";
  const parser = new SaxesParser({ xmlns: true });
  parser.on("opentag", ({ local }) => (root ||= local));
  try {
    parser.write(text).close();
  } catch {
    return false;
  }
  return root === "svg";
}

function readPages(folder: string): PageFile[] {
  const files = listFolder(folder).filter((file) => file.endsWith(".md"));
  if (files.length === 0 || files.length > PAGES_MAX)
    throw new SettingsError(
      `SITE_PAGES ${folder} has ${files.length} files that end in .md: 1 to ${PAGES_MAX} can be pages. Correct it, or leave it out. ${RESTART}`,
    );
  const names = files.map((file) => {
    const name = PAGE_FILE.exec(file)?.[1];
    if (name !== undefined) return name;
    throw new SettingsError(
      `SITE_PAGES ${path.join(folder, file)} cannot be an address: name it with small letters, digits and hyphens, such as terms.md. ${RESTART}`,
    );
  });
  // The terms first, because everybody who plays accepts them.
  names.sort((one, other) => Number(other === "terms") - Number(one === "terms") || (one < other ? -1 : 1));
  return names.map((name) => ({
    name,
    text: readSiteFile("SITE_PAGES", path.join(folder, `${name}.md`), PAGE_BYTES_MAX).toString(),
  }));
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new SettingsError(
      `SITE_PAGES ${folder} cannot be read (${codeOf(error)}): name a folder that the product's user may read. ${RESTART}`,
    );
  }
}

function readSiteFile(setting: string, file: string, bytesMax: number): Buffer {
  try {
    const { size } = statSync(file);
    if (size > 0 && size <= bytesMax) return readFileSync(file);
  } catch (error) {
    throw new SettingsError(
      `${setting} ${file} cannot be read (${codeOf(error)}): name a file that the product's user may read. ${RESTART}`,
    );
  }
  throw new SettingsError(
    `${setting} ${file} is empty or larger than ${bytesMax / 1_024} KB. Use another file. ${RESTART}`,
  );
}

const codeOf = (error: unknown) => (error instanceof Error ? String(Reflect.get(error, "code")) : "");
