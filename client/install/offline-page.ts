import * as words from "#client/base/format/words.ts";
import { plainSite } from "#src/settings/contract.ts";

type Parts = {
  /** All that the page looks like and does: nothing is fetched but the font, which is in the cache. */
  styles: string;
  contrastStyles: string;
  script: string;
  mark: string;
};

/** The page that the service worker shows without a network. */
export function offlinePage({ styles, contrastStyles, script, mark }: Parts): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>You are offline</title>
<style>${styles}</style>
<style media="(prefers-contrast: more), (forced-colors: active)">${contrastStyles}</style>
</head><body>
<main class="cover" id="main">
<div class="hero" aria-hidden="true"><svg class="icon" viewBox="0 0 24 24"><path fill="currentColor" d="${mark}"/></svg></div>
<span class="brand"><svg class="icon-l" viewBox="0 0 24 24" aria-hidden="true"><path fill="currentColor" d="${mark}"/></svg><span>${plainSite.name}</span></span>
<div class="panel pad cover-card">
<h1>You are offline.</h1>
<p><strong>Your calls are safe.</strong> This page opens by itself as soon as there is a network.</p>
<button class="btn primary wide" type="button">${words.tryAgain}</button>
<p class="small ink2" role="status"></p>
</div>
</main>
<script>${script}</script>
</body></html>`;
}

/** The content security policy of the page: its own styles and script, and nothing else. */
export function offlinePolicy({ styles, contrastStyles, script }: Parts): string {
  return [
    "default-src 'none'",
    `style-src ${sourceOf(styles)} ${sourceOf(contrastStyles)}`,
    `script-src ${sourceOf(script)}`,
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function sourceOf(text: string): string {
  return `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;
}
