import { site } from "#src/settings/contract.ts";

/** The content of a mail, ready to be sent. */
export type Letter = { to: string; subject: string; text: string; html: string };

type LetterParts = {
  to: string;
  subject: string;
  /** One sentence or two each. */
  paragraphs: readonly string[];
  /** The action for the reader, if there is one. It is placed after the first paragraph. */
  link?: { label: string; url: string };
};

/** Writes a letter as plain text and as simple HTML, with the same words in both. */
export function writeLetter({ to, subject, paragraphs, link }: LetterParts): Letter {
  const [first = "", ...others] = paragraphs;
  const text = [first, ...(link === undefined ? [] : [link.url]), ...others, site().name].join("\n\n");
  return { to, subject, text: `${text}\n`, html: htmlOf([first, ...others], link) };
}

function htmlOf([first = "", ...others]: readonly string[], link: LetterParts["link"]): string {
  const body = [paragraph(first), ...(link === undefined ? [] : [button(link)]), ...others.map(paragraph)];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin:0;background:#eaece8"><div style="max-width:480px;margin:0 auto;padding:32px 24px;background:#fff;color:#14171a;font:16px/1.5 system-ui,sans-serif">
<p style="margin:0 0 24px;font-weight:800">${Bun.escapeHTML(site().name)}</p>
${body.join("\n")}
</div></body></html>`;
}

function paragraph(sentence: string): string {
  return `<p style="margin:0 0 16px">${Bun.escapeHTML(sentence)}</p>`;
}

/** A link as a button. The address follows as text, for mail programs that show no button. */
function button({ label, url }: { label: string; url: string }): string {
  const address = Bun.escapeHTML(url);
  const { color, ink } = site().accent ?? { color: "#14171a", ink: "#fff" };
  return `<p style="margin:24px 0"><a href="${address}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${color};color:${ink};text-decoration:none;font-weight:600">${Bun.escapeHTML(label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#5a6168;word-break:break-all">${address}</p>`;
}
