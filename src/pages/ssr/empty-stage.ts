import { isBigScreen, stageKeyIn } from "#client/base/page/guard.ts";
import { bigScreen, calledIt } from "#client/ui/frame-texts.ts";
import { escapeHtml } from "#src/http/escape-html.ts";
import { nonceOf } from "#src/http/request-context.ts";

// Decision: a projector or a stream's source is set up before there is something to see, and nobody sits at it. So where a big screen
// has nothing to show, its page says what to do, in letters that are read from afar, and looks again by itself. It needs neither the
// app nor a style sheet. Over a video it goes away after half a minute, and goes on looking.

const LOOK_EVERY_S = 5;
const SERVER_ERROR = 500;

const texts = {
  nothing: {
    title: "Nothing is on this big screen yet.",
    text: "It opens when the host sends players here or starts the show, and closes a day after the end. The host can open it at any time: control room, Invite, Copy stage link.",
  },
  ended: {
    title: "This stage link shows nothing.",
    text: "The host may have made a new one: control room, Invite, Copy stage link. Open that one here.",
  },
  away: {
    title: "The server does not answer right now.",
    text: "Nothing is lost.",
  },
  again: "This page looks again every few seconds, and goes on by itself.",
} as const;

/** The answer to a page request, or in its place the page of a big screen that has nothing to show. */
export function orEmptyStage(request: Request, response: Response): Response {
  const { status } = response;
  if (response.ok || status < 400 || !isBigScreen(request.url)) return response;
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  return new Response(emptyStage(request, status), { status, headers });
}

function emptyStage(request: Request, status: number): string {
  const nonce = nonceOf(request);
  const isOverlay = new URL(request.url).searchParams.get("overlay") === "1";
  const { title, text } = textsFor(request, status);
  return `<!doctype html>
<html lang="en"${isOverlay ? ' class="overlay"' : ""}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${bigScreen} · ${calledIt}</title>
<noscript><meta http-equiv="refresh" content="${LOOK_EVERY_S}"></noscript>
<style nonce="${nonce}">${STYLES}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><p>${texts.again}</p></main>
<script nonce="${nonce}">${SCRIPT}</script></body></html>`;
}

function textsFor(request: Request, status: number): { title: string; text: string } {
  if (status >= SERVER_ERROR) return texts.away;
  return stageKeyIn(request.url) === "" ? texts.nothing : texts.ended;
}

/** A reload without an answer would end in the browser's own error page. */
const SCRIPT = `setInterval(function(){fetch(location.href,{cache:"no-store"}).then(function(r){if(r.ok)location.reload()},function(){})},${LOOK_EVERY_S * 1_000})`;

const STYLES = `:root{color-scheme:light dark;--u:min(1vh,.5625vw)}
body{margin:0;min-height:100vh;display:grid;place-content:center start;background:light-dark(#eaece8,#0d0f11);color:light-dark(#14171a,#f3f5f1);
font:calc(4*var(--u))/1.3 system-ui,sans-serif}
main{max-width:calc(150*var(--u));padding:calc(6*var(--u)) calc(9*var(--u))}
h1{font-size:calc(8*var(--u));line-height:1.1;margin:0}p{margin:1em 0 0;text-wrap:pretty}
.overlay{color-scheme:dark}.overlay,.overlay body{background:transparent}
.overlay body{place-content:end start}
.overlay main{margin:calc(4*var(--u));padding:calc(3*var(--u));border-radius:calc(2*var(--u));background:#181b1f;color:#f3f5f1;
max-width:calc(110*var(--u));font-size:calc(2.8*var(--u));animation:go 1s 30s forwards}
.overlay h1{font-size:calc(3.6*var(--u))}
@keyframes go{to{opacity:0;visibility:hidden}}`;
