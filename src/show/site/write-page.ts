import { shorten } from "#src/http/contract.ts";

export type OwnPage = { path: string; title: string; description: string; html: string };

const DESCRIPTION_LENGTH_MAX = 160;
const TITLE_LENGTH_MAX = 60;
/** What a link may lead to. A script in an address would be stopped by the page's policy too. */
const SAFE_LINK = /^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i;
/** HTML in the text is shown as text. */
const options = { noHtmlBlocks: true, noHtmlSpans: true, autolinks: true } as const;
/** The style sheet leaves lists without bullets, and no other page has one of these. */
const styles: Readonly<Record<string, string>> = {
  ul: "list-style:disc;padding-inline-start:1.5em",
  ol: "list-style:decimal;padding-inline-start:1.5em",
  img: "max-width:100%;height:auto",
  pre: "white-space:pre-wrap;overflow-wrap:anywhere",
};

/** Makes a page of Markdown: its title is the first heading, its description the first paragraph. */
export function writePage({ name, text }: { name: string; text: string }): OwnPage {
  const { title, description } = firstTexts(text);
  return {
    path: `/pages/${name}`,
    title: shorten(
      title || name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " "),
      TITLE_LENGTH_MAX,
    ),
    description: shorten(description, DESCRIPTION_LENGTH_MAX),
    html: bodyOf(text),
  };
}

function firstTexts(text: string): { title: string; description: string } {
  const [headings, paragraphs]: [string[], string[]] = [[], []];
  const collect = (list: string[]) => (children: string) => {
    list.push(children.replaceAll(/\s+/g, " ").trim());
    return "";
  };
  const found = { heading: collect(headings), paragraph: collect(paragraphs), image: () => "" };
  Bun.markdown.render(text, found, options);
  return { title: headings[0] ?? "", description: paragraphs.find((words) => words !== "") ?? "" };
}

function bodyOf(text: string): string {
  let isTitled = false;
  const rewriter = new HTMLRewriter()
    .on("h1,h2,h3,h4,h5,h6", {
      element(heading) {
        if (!isTitled) heading.remove();
        isTitled = true;
      },
    })
    .on("a", {
      element(link) {
        if (!SAFE_LINK.test(link.getAttribute("href") ?? "")) link.removeAttribute("href");
      },
    })
    .on("table", { element: (table) => void table.setAttribute("class", "table") });
  for (const [tag, style] of Object.entries(styles))
    rewriter.on(tag, { element: (element) => void element.setAttribute("style", style) });
  return rewriter.transform(Bun.markdown.html(text, options));
}
