/** React's names of the events that pages do not listen to, without "on". */
const CUT_EVENTS =
  "Abort|Animation(?:End|Iteration|Start)|AuxClick|BeforeToggle|CanPlay|CanPlayThrough|ContextMenu|Copy|Cut|DoubleClick|Drag(?:End|Enter|Exit|Leave|Over|Start)?|Drop|DurationChange|Emptied|Encrypted|Ended|Error|Fullscreen(?:Change|Error)|GotPointerCapture|Invalid|KeyPress|KeyUp|LoadStart|LoadedData|LoadedMetadata|LostPointerCapture|Mouse(?:Down|Enter|Leave|Move|Out|Over|Up)|Paste|Pause|Play|Playing|Pointer(?:Enter|Leave|Out|Over)|RateChange|Reset|Resize|ScrollEnd|Seeked|Seeking|Select|Stalled|Suspend|TimeUpdate|Touch(?:Cancel|End|Move|Start)|Transition(?:Cancel|End|Run|Start)|VolumeChange|Waiting|Wheel";

/** Attributes with other names in React than in a page, of which no page has one. */
const CUT_ATTRIBUTES =
  "acceptCharset|httpEquiv|crossOrigin|accentHeight|alignmentBaseline|arabicForm|baselineShift|capHeight|clipPath|clipRule|color(?:Interpolation|InterpolationFilters|Profile|Rendering)|dominantBaseline|enableBackground|fill(?:Opacity|Rule)|flood(?:Color|Opacity)|font(?:Family|Size|SizeAdjust|Stretch|Style|Variant|Weight)|glyph(?:Name|OrientationHorizontal|OrientationVertical)|horiz(?:AdvX|OriginX)|imageRendering|letterSpacing|lightingColor|marker(?:End|Mid|Start)|maskType|overline(?:Position|Thickness)|paintOrder|pointerEvents|renderingIntent|stop(?:Color|Opacity)|strikethrough(?:Position|Thickness)|stroke(?:Dashoffset|Miterlimit|Opacity)|text(?:Decoration|Rendering)|transformOrigin|underline(?:Position|Thickness)|unicode(?:Bidi|Range)|unitsPerEm|v(?:Alphabetic|Hanging|Ideographic|Mathematical)|vert(?:AdvY|OriginX|OriginY)|wordSpacing|writingMode|xHeight|x(?:link|ml)[A-Z]\\w+|allowFullScreen|autoPlay|itemScope|noModule|playsInline|reversed";

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
  {
    feature: "events that React does not listen to",
    use: new RegExp(`\\bon(?:${CUT_EVENTS})(?:Capture)?\\b|\\.(?:charCode|keyCode|which|movement[XY])\\b`),
  },
  {
    feature: "attributes and elements that React does not know",
    use: new RegExp(
      `\\b(?:${CUT_ATTRIBUTES})=|<(?:audio|embed|iframe|math|object|source|video)\\s|\\bcontentEditable\\b`,
    ),
  },
  {
    feature: "portals, profilers, handles and events of effects",
    use: /\b(?:createPortal|Profiler|useImperativeHandle|useEffectEvent)\b/,
  },
  { feature: "old lifecycle methods", use: /\bcomponentWill(?:Mount|ReceiveProps|Update)\b/ },
  { feature: "masked locations", use: /<(?:Link|NavLink)[^>]*\bmask=/ },
  {
    feature: "submissions of text or JSON",
    use: /\bencType[:=]\s*"(?:application\/json|text\/plain)"/,
  },
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
