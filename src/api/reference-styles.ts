export const referenceStyles = `
.api-head{display:flex;justify-content:space-between;align-items:center;gap:var(--s-4);max-width:960px;margin-inline:auto;padding:var(--s-4)}
.api-head nav{display:flex;flex-wrap:wrap;gap:0 var(--s-4)}
.api-head a{display:inline-flex;align-items:center;gap:var(--s-2);min-height:44px;color:var(--ink);font-weight:var(--w-bold);text-decoration:none}
.api-head a:hover{text-decoration:underline}
.api{max-width:960px;margin-inline:auto;padding:0 var(--s-4) var(--s-16);display:grid;gap:var(--s-5);grid-template-columns:minmax(0,1fr)}
.api code,.api pre{font-family:var(--mono);font-size:.8125rem;font-variant-ligatures:none}
.api-about{display:grid;gap:var(--s-3);max-width:68ch;color:var(--ink-2)}
.api nav ul{display:flex;flex-wrap:wrap;gap:var(--s-2);list-style:none;padding:0;margin:0}
.api nav a{display:inline-flex;align-items:center;min-height:44px;padding-inline:var(--s-4);border-radius:999px;background:var(--surface);color:var(--ink);text-decoration:none;font-weight:var(--w-medium)}
.api nav a:hover{background:var(--surface-3)}
.api section{display:grid;gap:var(--s-2);grid-template-columns:minmax(0,1fr);scroll-margin-top:var(--s-4)}
.api section>.dim{color:var(--ink-2);margin-bottom:var(--s-1)}
.api pre.guide{margin:0;padding:var(--s-3) var(--s-4);background:var(--surface);border-radius:8px;overflow:auto;line-height:1.5}
.endpoint{background:var(--surface);border-radius:12px;scroll-margin-top:var(--s-4)}
.endpoint>summary{display:grid;grid-template-columns:64px minmax(0,1fr);gap:var(--s-1) var(--s-3);align-items:baseline;padding:var(--s-3) var(--s-4);cursor:pointer;list-style:none;border-radius:12px}
.endpoint>summary::-webkit-details-marker{display:none}
.endpoint>summary:hover{background:var(--surface-2)}
.endpoint .what{grid-column:2;color:var(--ink-2);font-size:var(--fs-2);line-height:var(--lh-2)}
.method{font-size:var(--fs-1);font-weight:var(--w-black);letter-spacing:.02em;color:var(--ink-3)}
.method.post,.method.put,.method.patch{color:var(--ink)}
.method.delete{color:var(--bad)}
.endpoint-details{display:grid;gap:var(--s-3);grid-template-columns:minmax(0,1fr);padding:var(--s-1) var(--s-4) var(--s-5);font-size:var(--fs-2);line-height:var(--lh-2)}
.endpoint-details h3{font-size:var(--fs-2);margin-top:var(--s-2)}
.endpoint-details table{width:100%;border-collapse:collapse;table-layout:fixed}
.endpoint-details th,.endpoint-details td{text-align:start;vertical-align:top;padding:var(--s-2) var(--s-3) var(--s-2) 0;border-top:1px solid var(--line);overflow-wrap:anywhere;font-weight:inherit}
.endpoint-details th{width:42%}
.endpoint-details small{color:var(--ink-3);white-space:nowrap}
.endpoint-details td{color:var(--ink-2)}
.endpoint-details pre{margin:0;padding:var(--s-3) var(--s-4);background:var(--surface-2);border-radius:8px;overflow:auto;max-height:420px;line-height:1.5}
@media (min-width:720px){.endpoint>summary{grid-template-columns:64px minmax(0,1.2fr) minmax(0,1fr)}.endpoint .what{grid-column:3}.endpoint-details th{width:32%}}
`;

/** They need no nonce: the content security policy names their hash, so the page is the same for all clients. */
export const STYLE_SOURCE = `'sha256-${new Bun.CryptoHasher("sha256").update(referenceStyles).digest("base64")}'`;
