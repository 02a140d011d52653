import type { AppIcon } from "./draw-icons.ts";

/** The colours behind a page, light and dark, as client/styles/tokens.css has them: the system's bars continue them. */
export const groundColors = { light: "#EAECE8", dark: "#0D0F11" } as const;

/**
 * The web app manifest. It has one colour for all themes; the pages name the right one for theirs.
 * @param fileOf the address of an icon's file.
 */
export function describeApp(icons: readonly AppIcon[], fileOf: (icon: AppIcon) => string): string {
  return JSON.stringify({
    id: "/",
    name: "Called It",
    short_name: "Called It",
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
