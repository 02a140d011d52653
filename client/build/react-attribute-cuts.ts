import type { Cuts } from "./cut-code.ts";

/**
 * Attributes and elements that no page has, most of them SVG's. `checkFeatures` refuses client code that begins to use one. The
 * names of attributes are the code's own, never data, so they are not checked either.
 */
export const attributeRanges: Cuts["ranges"] = [
  [
    '    ["acceptCharset", "accept-charset"],',
    "  ]),\n  isJavaScriptProtocol =",
    `    ["htmlFor", "for"],
    ["shapeRendering", "shape-rendering"],
    ["strokeDasharray", "stroke-dasharray"],
    ["strokeLinecap", "stroke-linecap"],
    ["strokeLinejoin", "stroke-linejoin"],
    ["strokeWidth", "stroke-width"],
    ["textAnchor", "text-anchor"],
    ["vectorEffect", "vector-effect"]
`,
  ],
  // Styles of one browser that are numbers.
  [" MozAnimationIterationCount", '".split(\n    " "\n  )\n);\nfunction setValueForStyle('],
  ["var VALID_ATTRIBUTE_NAME_REGEX = RegExp(", "var viewTransitionMutationContext ="],
  ["  if (isAttributeNameSafe(name))\n", "    if (null === value) node.removeAttribute(name);"],
  // A function as a form's action.
  [
    '      if ("function" === typeof value) {\n        domElement.setAttribute(\n          key,\n          "javascript:throw',
    '      if (\n        null == value ||\n        "symbol" === typeof value ||',
  ],
  ['    case "xlinkHref":\n', '    case "contentEditable":\n'],
  ['    case "autoReverse":\n', '    case "focusable":\n'],
  ['    case "allowFullScreen":\n', '    case "disabled":\n'],
  ['    case "disablePictureInPicture":\n', '    case "formNoValidate":\n'],
  ['    case "loop":\n', '    case "noValidate":\n'],
  ['    case "playsInline":\n', '    case "readOnly":\n'],
  ['    case "reversed":\n', '      value && "function" !== typeof value'],
  [
    '    case "xlinkActuate":\n',
    '    case "innerText":\n    case "textContent":\n      return;\n    default:',
  ],
  // Frames, media, custom elements, and elements that must have no children: each is made like any other.
  ['    case "iframe":\n    case "object":\n      listenTo', '    case "details":\n'],
  ['    case "embed":\n    case "source":\n    case "link":\n', "  }\n  for (defaultValue in props)\n"],
  ['    case "img":\n    case "link":\n    case "area":\n', "  }\n  for (var propKey$252 in lastProps)\n"],
  ['    case "iframe":\n    case "object":\n    case "embed":\n', '    case "img":\n    case "image":\n'],
  // A script as a component.
  ['                case "script":\n', '                case "select":\n'],
  // The selection in an element that is edited as a whole. Fields have their own.
  [
    "    else\n      a: {\n        JSCompiler_temp =\n          ((JSCompiler_temp = root.ownerDocument)",
    "    JSCompiler_temp = JSCompiler_temp || { start: 0, end: 0 };",
  ],
  [
    "            else {\n              var doc = priorFocusedElem.ownerDocument",
    "          }\n          doc = [];",
    "            var doc, selection;\n",
  ],
];
