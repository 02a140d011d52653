import { slugFrom } from "#src/play/slug-from.ts";
import { plainSite, setSite } from "#src/settings/contract.ts";
import type { SiteLogo, SiteSettings } from "#src/settings/read-site.ts";
import { inkOn, nearestAccent } from "#src/show/brands/contract.ts";
import { type OwnPage, writePage } from "./write-page.ts";

/** The files of the site, which the server alone has. */
let files: Files = { logo: null, pages: new Map() };
type Files = { logo: (SiteLogo & { file: string }) | null; pages: ReadonlyMap<string, OwnPage> };

/** The logo and its name under /assets/, which has a hash of its content; null: none. */
export const ownLogo = () => files.logo;
export const ownPage = (path: string) => files.pages.get(path);

/**
 * Gives this process the name and the look of the settings. An accent is moved to the nearest shade that can be read, as that of a
 * session is (see brands/contract.ts).
 */
export function startSite({ name, logo, accent, pages }: SiteSettings): void {
  const written = pages.map(writePage);
  const color = accent === null ? null : nearestAccent(accent);
  const file = logo === null ? "" : `site-logo-${Bun.hash(logo.bytes).toString(36)}.${logo.type}`;
  files = {
    logo: logo === null ? null : { ...logo, file },
    pages: new Map(written.map((page) => [page.path, page])),
  };
  const isPlain = name === plainSite.name && logo === null && color === null && pages.length === 0;
  if (isPlain) return setSite(plainSite);
  setSite({
    name,
    slug: slugFrom(name, "site"),
    logo: logo === null ? null : `/assets/${file}`,
    accent: color === null ? null : { color, ink: inkOn(color) },
    pages: written.map(({ path, title }) => ({ path, title })),
  });
}
