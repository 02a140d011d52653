/** Features of React and react-router that are cut from the bundle, by how code uses them. */
const CUT_FEATURES: readonly { feature: string; use: RegExp }[] = [
  { feature: "view transitions", use: /\bViewTransition\b|\baddTransitionType\b|\bviewTransition\b/ },
  { feature: "activities and lists of suspended parts", use: /<Activity\b|\bSuspenseList\b/ },
  { feature: "references to fragments", use: /<Fragment [^>]*\bref=/ },
  {
    feature: "metadata, style sheets and scripts in components",
    // An SVG's own title has attributes.
    use: /<(?:title|html|head|body)>|<(?:meta|link|style|script|html|head|body)\s|\bfrom "react-dom"/,
  },
  {
    feature: "forms whose action is a function",
    use: /\b(?:useActionState|useFormStatus|requestFormReset)\b|\bformAction=\{/,
  },
  { feature: "composition events", use: /\bon(?:BeforeInput|Composition(?:Start|End|Update))\b/ },
  { feature: "custom elements", use: /<[a-z]+-[a-z-]+[\s>]/ },
  { feature: "fetchers", use: /\buseFetchers?\b/ },
  { feature: "react-router's scroll restoration", use: /\bScrollRestoration\b/ },
  { feature: "routes that are discovered late", use: /\bpatchRoutesOnNavigation\b/ },
];

/**
 * Checks one of the client's modules.
 * @throws if it uses a feature that client/build cuts from the bundle.
 */
export function checkFeatures(module: string, source: string): void {
  const used = CUT_FEATURES.find(({ use }) => use.test(source));
  if (used !== undefined)
    throw new Error(`${module} uses ${used.feature}, which client/build cuts from the bundle.`);
}
