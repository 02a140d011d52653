// Bull Board has options for its title and its icon. For the rest its page gets the product's navigation at its top, and
// the product's colours for the custom properties of its style sheet. Nothing here names a class of Bull Board, whose names change
// with each release, except the one of its dark theme.

const PATH = "M12 2A10 10 0 0 0 12 22L22 12Z";
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path{fill:#14171A}@media(prefers-color-scheme:dark){path{fill:#F3F5F1}}</style><path d="${PATH}"/></svg>`;

/** The mark as the address of a picture. */
export const MARK = `data:image/svg+xml,${encodeURIComponent(SVG)}`;

/** The way back to the operators' home and its other pages. */
export const boardNavigation = (name: string) => `<nav class="called-it" aria-label="${name}">
  <h1>Queues</h1>
  <a class="called-it-brand" href="/sessions"><svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path fill="currentColor" d="${PATH}"/></svg>${name}</a>
  <a href="/admin">Operations</a>
  <a href="/admin/books">Books</a>
  <a href="/admin/queues" aria-current="page">Queues</a>
</nav>`;

export const BOARD_STYLE = `<style>
:root {
  --bar: 48px;
  --background: #eaece8; --foreground: #14171a; --card: #fff; --popover: #fff;
  --primary: #14171a; --primary-foreground: #fff; --secondary: #e3e6e0; --secondary-foreground: #14171a;
  --muted: #f4f5f2; --muted-foreground: #5a6168; --accent: #e3e6e0; --accent-foreground: #14171a;
  --destructive: #a5132b; --destructive-foreground: #fff; --border: #d5d9d2; --input: #7c848a;
  --sidebar: #f4f5f2; --sidebar-foreground: #41474d; --sidebar-accent: #e3e6e0; --sidebar-border: #d5d9d2;
  --status-failed: #a5132b; --status-completed: #0a6b5b; --status-waiting: #7a5200; --status-active: #0065a6;
  --status-delayed: #5b3fb0; --status-prioritized: #8f1f9c; --status-waiting-children: #ab4c0c; --status-paused: #5a6168;
  --font-sans: "Archivo Variable", "Helvetica Neue", "Segoe UI", Roboto, Arial, sans-serif;
}
.dark-mode {
  --background: #0d0f11; --foreground: #f3f5f1; --card: #181b1f; --popover: #21252a;
  --primary: #f3f5f1; --primary-foreground: #0d0f11; --secondary: #2c3138; --secondary-foreground: #f3f5f1;
  --muted: #21252a; --muted-foreground: #9aa2a8; --accent: #2c3138; --accent-foreground: #f3f5f1;
  --destructive: #ff8e9c; --destructive-foreground: #0d0f11; --border: #30363c; --input: #79828a;
  --sidebar: #181b1f; --sidebar-foreground: #c3c9cc; --sidebar-accent: #2c3138; --sidebar-border: #30363c;
  --status-failed: #ff8e9c; --status-completed: #5fd0b8; --status-waiting: #f2c14e; --status-active: #70c9f7;
  --status-delayed: #b9a5f5; --status-prioritized: #e09aea; --status-waiting-children: #ecac2e; --status-paused: #9aa2a8;
}
.called-it {
  position: fixed; z-index: 100; inset: 0 0 auto; height: var(--bar); box-sizing: border-box; padding: 0 16px;
  display: flex; align-items: center; gap: 16px; overflow: auto hidden;
  font: 560 14px/20px var(--font-sans); color: var(--foreground); background: var(--background); border-bottom: 1px solid var(--border);
}
.called-it a { display: inline-flex; align-items: center; gap: 8px; min-height: 32px; padding: 0 4px; color: inherit; text-decoration: none; white-space: nowrap; }
.called-it a:hover, .called-it [aria-current] { text-decoration: underline; text-underline-offset: 6px; text-decoration-thickness: 2px; }
.called-it a:focus-visible { outline: 3px solid currentColor; outline-offset: 1px; }
.called-it-brand { font-weight: 800; font-size: 16px; }
.called-it h1 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
/* States that no job of the product is ever in. */
#root a:is([href$="status=waiting-children"], [href$="status=prioritized"], [href$="status=paused"]) { display: none; }
#root header { top: var(--bar); }
#root aside { top: calc(var(--header-offset) + var(--bar)); }
#root main { padding-top: calc(var(--header-offset) + var(--bar)); }
</style>`;
