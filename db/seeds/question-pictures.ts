/** A picture of the demo: drawn as SVG, and what it shows in words. */
export type DemoPicture = { svg: string; alt: string };

const drawn = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720" viewBox="0 0 128 72">${inside}</svg>`;

/** Two rivers, drawn equally long. */
export const rivers: DemoPicture = {
  alt: "Two blue rivers on a map, one winding down from green hills, one through yellow sand",
  svg: drawn(`<rect width="64" height="72" fill="#8fb573"/><rect x="64" width="64" height="72" fill="#f2cf7e"/>
<path d="M8 16q7-8 14 0q7-9 16 0zM30 62q6-8 13 0q6-7 12 0z" fill="#5e8a4a"/>
<path d="M14 4C30 14 6 26 26 34S40 50 36 72" fill="none" stroke="#2d7dd2" stroke-width="4"/>
<path d="M92 4C78 16 108 24 94 36S106 54 98 72" fill="none" stroke="#2d7dd2" stroke-width="4"/>
<path d="M72 60l8-12 8 12zM80 60l6-9 6 9z" fill="#b98a3a"/><path d="M64 0v72" stroke="#14171a" stroke-width="0.6"/>`),
};

export const octopus: DemoPicture = {
  alt: "An orange octopus on the sea floor",
  svg: drawn(`<rect width="128" height="72" fill="#0f4c75"/><rect y="62" width="128" height="10" fill="#e3c48d"/>
<g fill="none" stroke="#f0803c" stroke-width="4" stroke-linecap="round">
<path d="M54 40C46 46 40 42 32 50S20 54 16 62M56 42C50 52 44 50 38 58S32 62 28 66M60 44C58 54 52 56 52 66M63 44v22"/>
<path d="M74 40C82 46 88 42 96 50S108 54 112 62M72 42C78 52 84 50 90 58S96 62 100 66M68 44C70 54 76 56 76 66M65 44v18"/></g>
<path d="M46 30C46 14 54 6 64 6S82 14 82 30C82 42 74 48 64 48S46 42 46 30z" fill="#f0803c"/>
<circle cx="58" cy="32" r="4" fill="#fff"/><circle cx="70" cy="32" r="4" fill="#fff"/>
<circle cx="59" cy="33" r="2" fill="#14171a"/><circle cx="71" cy="33" r="2" fill="#14171a"/>
<circle cx="18" cy="18" r="2" fill="#8fd3f4"/><circle cx="24" cy="10" r="3" fill="#8fd3f4"/><circle cx="108" cy="22" r="2.4" fill="#8fd3f4"/>`),
};
