import type { Cuts } from "./cut-code.ts";

/**
 * Events that no page listens to by React, and what reads them in browsers that are older than the product's. React would
 * listen to all of them at the root, and look for listeners at each movement of a pointer. `checkFeatures` refuses client code
 * that begins to use one. React's list of the priorities of events stays: it also looks up those that the client
 * listens to itself.
 */
export const eventRanges: Cuts["ranges"] = [
  [
    '    "abort auxClick beforeToggle',
    '.split(\n      " "\n    );\nsimpleEventPluginEvents.push(',
    '    "cancel click close input keyDown load pointerCancel pointerDown pointerMove pointerUp scroll submit toggle"',
  ],
  ['simpleEventPluginEvents.push("scrollEnd");', "function registerSimpleEvent("],
  ["registerSimpleEvent(ANIMATION_END,", 'registerSimpleEvent("focusin",'],
  ["registerSimpleEvent(TRANSITION_RUN,", 'registerTwoPhaseEvent(\n  "onChange",'],
  ['  "change click focusin focusout input', "var mediaEventTypes =", '  ["change", "click", "input"]\n);\n'],
  [
    "var mediaEventTypes =",
    "function processDispatchQueue(",
    'var nonDelegatedEvents = new Set(["cancel", "close", "invalid", "load", "scroll", "toggle"]);\n',
  ],
  // Events of selections, and the names of events with a vendor's prefix.
  ["var skipSelectionChangeEvent =", "topLevelEventsToReactNames = new Map(),", "var "],
  // Composition events and onBeforeInput.
  [",\n  END_KEYCODES = [9, 13, 27, 32],", "var supportedInputTypes = {", ";\n"],
  // Browsers without input events.
  ["var isInputEventSupported = !1;", "function getTargetInstForClickEvent("],
  ['  "function" === typeof reportError\n', ",\n  concurrentQueues = [],", "  reportError"],
  // Events of a kind that no page listens to.
  ["  DragEventInterface = assign(", "  FocusEventInterface = assign("],
  ["  AnimationEventInterface = assign(", "  normalizeKey = {"],
  ["  TouchEventInterface = assign(", "  ToggleEventInterface = assign("],
  // The names of keys in old browsers. Chromium's event of a filled-in field has none.
  ["  normalizeKey = {", "  modifierKeyToProp = {"],
  [
    "    key: function (nativeEvent) {\n",
    "    code: 0,",
    '    key: function (nativeEvent) {\n      return nativeEvent.key || "Unidentified";\n    },\n',
  ],
  ["    charCode: function (event) {\n", "  }),\n  SyntheticKeyboardEvent ="],
  ["    movementX: function (event) {\n", "  }),\n  SyntheticMouseEvent ="],
  [
    "    var ownerDocument =\n      9 === rootContainerElement.nodeType\n",
    "  }\n}\nfunction addTrappedEventListener(",
  ],
  // What an event becomes when it is dispatched.
  ['          case "keypress":\n            if (0 ===', '          case "keydown":\n          case "keyup":'],
  ['          case "beforeblur":\n', '          case "click":\n            if (2 ==='],
  [
    '          case "auxclick":\n          case "dblclick":',
    "            SyntheticEventCtor = SyntheticMouseEvent;",
  ],
  [
    '          case "drag":\n          case "dragend":',
    '          case "scroll":\n          case "scrollend":\n            SyntheticEventCtor',
  ],
  [
    '          case "wheel":\n            SyntheticEventCtor',
    '          case "pointercancel":\n          case "pointerdown":',
  ],
  ['          case "pointerout":\n          case "pointerover":', '          case "pointerup":\n'],
  // Entering and leaving an element.
  [
    '      a: {\n        SyntheticEventCtor =\n          "mouseover" ===',
    "      a: {\n        reactName = targetInst ? getNodeFromInstance(targetInst)",
  ],
  [
    "          if (isInputEventSupported)\n",
    "        else\n          (SyntheticEventCtor = reactName.nodeName),",
    "          getTargetInstFunc = getTargetInstForInputOrChangeEvent;\n",
  ],
  // Custom elements.
  [
    "              ? targetInst &&\n                isCustomElement(",
    "              : (getTargetInstFunc = getTargetInstForClickEvent);",
    "              ? 0\n",
  ],
  // Selections, composition, and forms whose action is a function.
  [
    "        handleEventFunc && handleEventFunc(",
    "    }\n    processDispatchQueue(dispatchQueue, eventSystemFlags);",
    "      }\n",
  ],
  // Events that wait for a part to be hydrated.
  [
    '    "mousedown mouseup touchcancel',
    '.split(\n      " "\n    );\nfunction clearIfContinuousEvent(',
    '    "pointercancel pointerdown pointerup keydown input click change"',
  ],
  [
    '    case "dragenter":\n    case "dragleave":\n      queuedDrag = null;',
    "  }\n}\nfunction accumulateOrCreateContinuousQueuedReplayableEvent(",
  ],
  [
    '    case "dragenter":\n      return (\n        (queuedDrag =',
    "  }\n  return !1;\n}\nfunction attemptExplicitHydrationTarget(",
  ],
  [
    "  null !== queuedDrag &&\n    attemptReplayContinuousQueuedEvent(",
    "}\nfunction scheduleCallbackIfUnblocked(",
  ],
  [
    "  null !== queuedDrag && scheduleCallbackIfUnblocked(",
    "}\nfunction defaultOnDefaultTransitionIndicator(",
  ],
];
