import * as v from "valibot";

const NAME_LENGTH_MAX = 40;
/** Control characters, line breaks, halves of a letter, and what turns the direction of the text around it. */
const UNFIT = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

export const siteSettings = {
  SITE_NAME: {
    schema: v.optional(
      v.pipe(
        v.string(),
        v.maxGraphemes(NAME_LENGTH_MAX),
        v.maxLength(NAME_LENGTH_MAX * 4),
        v.check((name) => !UNFIT.test(name)),
      ),
      "Called It",
    ),
    must: `at most ${NAME_LENGTH_MAX} characters in one line, without control characters`,
    about: "what the site is called, on its pages, in mails, messages and pictures (site.md)",
  },
  SITE_LOGO: {
    schema: v.optional(v.string()),
    must: "an SVG, PNG or WebP file",
    fallback: "none: the product's mark",
    about: "the file of the logo: beside the name, and as the icon of the page and the app",
  },
  SITE_ACCENT: {
    schema: v.optional(v.pipe(v.string(), v.toLowerCase(), v.regex(/^#[0-9a-f]{6}$/))),
    must: "a colour such as #0072b3",
    fallback: "none: black and white",
    about:
      "the colour of main buttons, and of the big screen where a session has no own; the nearest that can be read is taken",
  },
  SITE_PAGES: {
    schema: v.optional(v.string()),
    must: "a folder",
    fallback: "none: the product's terms alone",
    about:
      "a folder of Markdown files such as privacy.md, each a public page at /pages/privacy; terms.md replaces the terms",
  },
} as const;
