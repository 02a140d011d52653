import type { Manifest } from "#client/build/build.ts";
import { WORKER_FILE } from "#client/build/build.ts";
import { plainSite, site } from "#src/settings/contract.ts";
import { ownLogo } from "#src/show/site/start-site.ts";

// Decision: a build is the same for all sites. What is not a page and names the site (the manifest of the app, and the page without a
// network in the service worker) gets its name and its icons where a process loads the build.

type Bytes = Uint8Array<ArrayBuffer>;
type SiteFiles = {
  manifest: Manifest;
  /** The address of the page's icon; null: that of the build. */
  icon: string | null;
  /** What is served besides, or in the place of a file of the build. */
  files: ReadonlyMap<string, Bytes>;
};

/** How much of an icon the logo fills, on white. A message's badge is its shape alone. */
const fills = { icon: 0.76, "icon-touch": 0.76, "icon-maskable": 0.56, badge: 1 } as const;
const iconFile = /^(?<kind>icon|icon-touch|icon-maskable|badge)-(?<size>\d+)-\w+\.png$/;
/** The product's marks on the page without a network, which loads no picture. */
const MARKS = /<svg class=[^>]*>.*?<\/svg>/g;

/** @param files of the build, by name. */
export async function findSiteFiles(
  manifest: Manifest,
  files: ReadonlyMap<string, { bytes: Bytes }>,
): Promise<SiteFiles> {
  if (site() === plainSite) return { manifest, icon: null, files: new Map() };
  const logo = ownLogo();
  const icons = logo === null ? [] : await drawIcons(logo.bytes, [...files.keys()]);
  const renamed = new Map(icons.map(({ replaces, file }) => [replaces, file]));
  const textOf = (name: string) => {
    let text = new TextDecoder().decode(files.get(name)?.bytes);
    for (const [replaced, file] of renamed) text = text.replaceAll(replaced, file);
    return text;
  };
  const page = textOf(WORKER_FILE).replace(
    `<span>${plainSite.name}</span>`,
    () => `<span>${escaped(site().name)}</span>`,
  );
  const app = { ...JSON.parse(textOf(manifest.app)), name: site().name, short_name: site().name };
  const written = [
    [WORKER_FILE, logo === null ? page : page.replaceAll(MARKS, "")],
    [manifest.app, JSON.stringify(app)],
  ] as const;
  return {
    manifest: {
      ...manifest,
      mark: logo?.file ?? manifest.mark,
      touchIcon: renamed.get(manifest.touchIcon) ?? manifest.touchIcon,
    },
    icon: site().logo,
    files: new Map([
      ...written.map(([name, text]): [string, Bytes] => [name, new TextEncoder().encode(text)]),
      ...icons.map(({ file, bytes }): [string, Bytes] => [file, bytes]),
      ...(logo === null ? [] : [[logo.file, logo.bytes] as [string, Bytes]]),
    ]),
  };
}

/** HTML that may stand in a string of a script too, however that is quoted. */
const escaped = (text: string) => text.replaceAll(/[^ \p{L}\p{N}]/gu, (sign) => `&#${sign.codePointAt(0)};`);

type Icon = { replaces: string; file: string; bytes: Bytes };

/** Draws the icons of the app from the logo. A logo that cannot be drawn leaves those of the product. */
async function drawIcons(logo: Bytes, names: readonly string[]): Promise<Icon[]> {
  const { default: sharp } = await import("sharp");
  const draw = async (name: string): Promise<Icon[]> => {
    const { kind = "", size: pixels = "" } = iconFile.exec(name)?.groups ?? {};
    if (!isKind(kind)) return [];
    const size = Number(pixels);
    const inner = Math.round(size * fills[kind]);
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const background = kind === "badge" ? clear : "#ffffff";
    const input = await sharp(logo)
      .resize(inner, inner, { fit: "contain", background: clear })
      .png()
      .toBuffer();
    const icon = sharp({ create: { width: size, height: size, channels: 4, background } });
    const bytes = new Uint8Array(await icon.composite([{ input }]).png().toBuffer());
    return [{ replaces: name, file: `site-${kind}-${size}-${Bun.hash(bytes).toString(36)}.png`, bytes }];
  };
  return (await Promise.all(names.map(draw)).catch(() => [])).flat();
}

const isKind = (kind: string): kind is keyof typeof fills => Object.hasOwn(fills, kind);
