/** What the brand of a session says, and its form. */
export const brandTexts = {
  title: "Brand",
  about: "On the big screen, the page to join, the end card and the pictures that players share.",
  accent: "Accent colour",
  accentExample: "#0072b3",
  accentHint: "Text is shown on it, and it is shown on light and dark backgrounds.",
  picker: "Pick the accent colour",
  sponsor: "Sponsor's line",
  sponsorExample: "With thanks to the Corner Bakery",
  logo: "Logo",
  logoHint: "A PNG, JPEG, WebP or GIF picture, at most 5 MB.",
  removeLogo: "Remove the logo",
  nearest: (color: string) => `Take ${color}`,
  nearestIs: "The nearest colour that holds:",
  preview: "Preview",
  previewLine: "Your show",
  save: "Save the brand",
};
