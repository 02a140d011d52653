import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router";
import { contrastMedia, themeOf } from "#client/base/page/page.ts";
import { HomeLink } from "#client/ui/mark.tsx";
import { SiteLinks } from "#client/ui/site-links.tsx";
import type { Deps } from "#src/base/deps.ts";
import { readCookie } from "#src/http/cookies.ts";
import { isSafeMethod, type RequestContext } from "#src/http/request-context.ts";
import type { Route } from "#src/people/sign-ins/handle-request.ts";
import { site } from "#src/settings/contract.ts";
import { ownPage } from "#src/show/site/start-site.ts";
import type { OwnPage } from "#src/show/site/write-page.ts";
import { loadAssets } from "./assets.ts";
import { describeOwnPage } from "./describe-page.ts";
import { accentStyle } from "./document.ts";

// Decision: the site's own pages are no part of the app. They are the same for everybody, need neither the database nor a script, and
// weigh nothing where a site has none. Links to them load them.

/** What answers with a page of the site; null: the request is for something else. */
export function sitePageRoute({ env }: Pick<Deps, "env">, context: RequestContext): Route | null {
  const page = ownPage(context.path.replace(/(?<=.)\/$/, ""));
  if (page === undefined || !isSafeMethod(context.request)) return null;
  const answer = async () =>
    new Response(await writeDocument(page, env.publicUrl, context), {
      headers: { "content-type": "text/html; charset=utf-8", vary: "cookie" },
    });
  return { pattern: "/pages/:name", skipsSignIn: true, answer };
}

async function writeDocument(
  page: OwnPage,
  publicUrl: string,
  { request, nonce }: RequestContext,
): Promise<string> {
  const { manifest, icon } = await loadAssets();
  const theme = themeOf(readCookie(request, "theme") ?? undefined);
  const title = `${page.title} · ${site().name}`;
  return `<!doctype html>
<html lang="en"${theme === "system" ? "" : ` data-theme="${theme}"`}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${Bun.escapeHTML(title)}</title>
${describeOwnPage(publicUrl, { ...page, title })}
<meta name="color-scheme" content="light dark">
<style nonce="${nonce}">${manifest.font.optional}</style>
<link rel="stylesheet" href="/assets/${manifest.styles}">
<link rel="stylesheet" media="${contrastMedia(theme)}" href="/assets/${manifest.contrast.file}">
<link rel="icon" href="${icon}">
</head><body${accentStyle()}>${renderToStaticMarkup(<Shown page={page} />)}</body></html>`;
}

function Shown({ page: { path, title, html } }: { page: OwnPage }) {
  return (
    <StaticRouter location={path}>
      <header className="topbar">
        <HomeLink short="always" />
      </header>
      <main className="page" id="main">
        <header>
          <h1>{title}</h1>
        </header>
        {/* Its HTML is of the site's own Markdown, in which HTML counts as text (write-page.ts). */}
        <div
          className="panel pad stack"
          style={{ maxWidth: "76ch", overflowWrap: "anywhere" }}
          dangerouslySetInnerHTML={{ __html: html }}
        />
        <footer className="row wrap small">
          <SiteLinks />
        </footer>
      </main>
    </StaticRouter>
  );
}
