/** Names of props that differ from those of their attributes, in ways that no rule covers. */
const renamed: Readonly<Record<string, string>> = {
  acceptCharset: "accept-charset",
  htmlFor: "for",
  httpEquiv: "http-equiv",
  crossOrigin: "crossorigin",
  "panose-1": "panose-1",
  xmlnsXlink: "xmlns:xlink",
  xHeight: "x-height",
};

/** Names whose capitals become a dash: strokeWidth -> stroke-width. */
const dashed = new Set(
  `accentHeight alignmentBaseline arabicForm baselineShift capHeight clipPath clipRule colorInterpolation
  colorInterpolationFilters colorProfile colorRendering dominantBaseline enableBackground fillOpacity fillRule floodColor
  floodOpacity fontFamily fontSize fontSizeAdjust fontStretch fontStyle fontVariant fontWeight glyphName
  glyphOrientationHorizontal glyphOrientationVertical horizAdvX horizOriginX imageRendering letterSpacing lightingColor
  markerEnd markerMid markerStart maskType overlinePosition overlineThickness paintOrder pointerEvents renderingIntent
  shapeRendering stopColor stopOpacity strikethroughPosition strikethroughThickness strokeDasharray strokeDashoffset
  strokeLinecap strokeLinejoin strokeMiterlimit strokeOpacity strokeWidth textAnchor textDecoration textRendering
  transformOrigin underlinePosition underlineThickness unicodeBidi unicodeRange unitsPerEm vAlphabetic vHanging vIdeographic
  vMathematical vectorEffect vertAdvY vertOriginX vertOriginY wordSpacing writingMode`.split(/\s+/),
);

/** Styles whose numbers have no unit. */
export const unitless = new Set(
  `animationIterationCount aspectRatio borderImageOutset borderImageSlice borderImageWidth boxFlex boxFlexGroup boxOrdinalGroup
  columnCount columns flex flexGrow flexPositive flexShrink flexNegative flexOrder gridArea gridRow gridRowEnd gridRowSpan
  gridRowStart gridColumn gridColumnEnd gridColumnSpan gridColumnStart fontWeight lineClamp lineHeight opacity order orphans
  scale tabSize widows zIndex zoom fillOpacity floodOpacity stopOpacity strokeDasharray strokeDashoffset strokeMiterlimit
  strokeOpacity strokeWidth MozAnimationIterationCount MozBoxFlex MozBoxFlexGroup MozLineClamp msAnimationIterationCount msFlex
  msZoom msFlexGrow msFlexNegative msFlexOrder msFlexPositive msFlexShrink msGridColumn msGridColumnSpan msGridRow msGridRowSpan
  WebkitAnimationIterationCount WebkitBoxFlex WebKitBoxFlexGroup WebkitBoxOrdinalGroup WebkitColumnCount WebkitColumns
  WebkitFlex WebkitFlexGrow WebkitFlexPositive WebkitFlexShrink WebkitLineClamp`.split(/\s+/),
);

const safeName = /^[:A-Z_a-z][\w:.-]*$/;

/** The attribute's name for a prop that has no rule of its own; null for one that HTML cannot have, or with foreign letters. */
export function attributeNameOf(prop: string): string | null {
  const name = dashed.has(prop)
    ? prop.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    : (renamed[prop] ?? prop);
  return safeName.test(name) ? name : null;
}
