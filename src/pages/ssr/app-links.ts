import type { Theme } from "#client/base/page/page.ts";
import { groundColors } from "#client/build/describe-app.ts";

/**
 * What browsers read of the installed app in the head of a page: the web app manifest, the icon of iOS, and the colour of the
 * system's bars in this theme. A browser fetches the first two when the page is loaded, and the icon only for a home screen.
 * @param touchIcon the icon's file under /assets/.
 */
export function appLinks(theme: Theme, touchIcon: string): string {
  return `<link rel="manifest" href="/manifest.webmanifest">
<link rel="apple-touch-icon" href="/assets/${touchIcon}">
${themeColors(theme)}
`;
}

function themeColors(theme: Theme): string {
  if (theme === "light" || theme === "dark")
    return `<meta name="theme-color" content="${groundColors[theme]}">`;
  return Object.entries(groundColors)
    .map(
      ([scheme, color]) =>
        `<meta name="theme-color" content="${color}" media="(prefers-color-scheme: ${scheme})">`,
    )
    .join("\n");
}
