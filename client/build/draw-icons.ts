import { plainSite } from "#src/settings/contract.ts";

/** The mark, in a field of 24 by 24. */
export const MARK_PATH = "M12 2A10 10 0 0 0 12 22L22 12Z";

const INK = "#14171A";
const CHALK = "#F3F5F1";

/** An icon of the installed app. */
type AppIcon = { name: string; size: number; purpose: "any" | "maskable" | null; bytes: Uint8Array };

/** How much of its field the mark fills. A maskable icon may be cut to a circle of 80 %; a round corner cuts less. */
const fills = { any: 0.66, maskable: 0.52 };
const ROUND_CORNER = 5.4;

/**
 * Draws the icons of the installed app from the mark: with round corners for systems that show icons as they are, over the whole
 * field for those that cut them, and in one colour for the bar with messages.
 */
export async function drawIcons(): Promise<AppIcon[]> {
  const drawn = [
    { name: "icon-192", size: 192, purpose: "any", svg: iconOf(ROUND_CORNER, fills.any) },
    { name: "icon-512", size: 512, purpose: "any", svg: iconOf(ROUND_CORNER, fills.any) },
    { name: "icon-maskable-192", size: 192, purpose: "maskable", svg: iconOf(0, fills.maskable) },
    { name: "icon-maskable-512", size: 512, purpose: "maskable", svg: iconOf(0, fills.maskable) },
    { name: "icon-touch-180", size: 180, purpose: null, svg: iconOf(0, fills.any) },
    { name: "badge-96", size: 96, purpose: null, svg: svgOf(`<path fill="#fff" d="${MARK_PATH}"/>`) },
  ] as const;
  // Only a build draws: the server that finds one does without the library.
  const { default: sharp } = await import("sharp");
  return Promise.all(
    drawn.map(async ({ svg, ...icon }) => ({
      ...icon,
      bytes: await sharp(Buffer.from(svg), { density: 72 * (icon.size / 24) })
        .resize(icon.size, icon.size)
        .png({ palette: true, compressionLevel: 9 })
        .toBuffer(),
    })),
  );
}

function iconOf(corner: number, fill: number): string {
  const shift = 12 * (1 - fill);
  return svgOf(
    `<rect width="24" height="24" rx="${corner}" fill="${INK}"/>` +
      `<path fill="${CHALK}" transform="translate(${shift} ${shift}) scale(${fill})" d="${MARK_PATH}"/>`,
  );
}

function svgOf(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">${content}</svg>`;
}

/** The colours behind a page, light and dark, as client/styles/tokens.css has them: the system's bars continue them. */
export const groundColors = { light: "#EAECE8", dark: "#0D0F11" } as const;

/**
 * The web app manifest. It has one colour for all themes; the pages name the right one for theirs.
 * @param fileOf the address of an icon's file.
 */
export function describeApp(icons: readonly AppIcon[], fileOf: (icon: AppIcon) => string): string {
  return JSON.stringify({
    id: "/",
    name: plainSite.name,
    short_name: plainSite.name,
    description: "Say it before it happens: a live prediction game with play money.",
    lang: "en",
    dir: "ltr",
    start_url: "/",
    scope: "/",
    display: "standalone",
    theme_color: groundColors.light,
    background_color: groundColors.light,
    categories: ["games", "entertainment"],
    icons: icons.flatMap((icon) =>
      icon.purpose === null
        ? []
        : [
            {
              src: fileOf(icon),
              sizes: `${icon.size}x${icon.size}`,
              type: "image/png",
              purpose: icon.purpose,
            },
          ],
    ),
  });
}
