/** What this installation is called and how it looks, on its pages, in its mails and in its pictures. */
export type Site = {
  name: string;
  /** The name as files begin with it: "called-it". */
  slug: string;
  /** The address of the logo; null: the product's mark. */
  logo: string | null;
  /** A ground that holds in both themes, and the ink on it; null: black and white. */
  accent: { color: string; ink: string } | null;
  pages: readonly SitePage[];
};
export type SitePage = { path: string; title: string };

export const plainSite: Site = { name: "Called It", slug: "called-it", logo: null, accent: null, pages: [] };
/** The page that takes the place of the product's terms. */
export const OWN_TERMS_PATH = "/pages/terms";

// Decision: the site is one value of the whole process, set once: on the server as it starts, in the browser as the page is read. So no
// sentence has to be handed the name, and without the settings nothing is sent.
let own = plainSite;

/** The site as it is set. Ask when the text is made: a text that is made as its file is loaded has the product's name. */
export const site = (): Site => own;

export function setSite(given: Site): void {
  own = given;
}
