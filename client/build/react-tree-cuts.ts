import type { Cuts } from "./cut-code.ts";

const PORTAL_4 = "    case 4:\n";
const ACTIVITY_31 = "    case 31:\n";
const SUSPENSE_13 = "    case 13:\n";

/**
 * What React does with parts that no page has: metadata (tag 26), html, head and body (27), portals (4), profilers (12),
 * activities (31), lists of suspended parts (19) and view transitions (30); and with the lifecycle methods that a class of today
 * has no more.
 */
export const treeRanges: Cuts["ranges"] = [
  // beginWork
  [
    "    case 26:\n      return (\n        markRef(current, workInProgress),",
    "    case 5:\n      if (null === current && isHydrating) {",
  ],
  [`${PORTAL_4}      return (\n        pushHostContainer(`, "    case 11:\n"],
  // completeWork
  [
    "    case 26:\n      var type = workInProgress.type,",
    "    case 5:\n      popHostContext(workInProgress);",
    "    var type, nextResource;\n",
  ],
  [`${ACTIVITY_31}      renderLanes = workInProgress.memoizedState;`, `${SUSPENSE_13}      newProps =`],
  [`${PORTAL_4}      return (\n        popHostContainer(),\n        null === current`, "    case 10:\n"],
  [
    "    case 19:\n      popSuspenseListContext(workInProgress);\n      newProps",
    "    case 22:\n    case 23:\n",
  ],
  [
    "    case 30:\n      return (\n        (workInProgress.flags |= 33554432),",
    "  }\n  throw Error(formatProdErrorMessage(156,",
  ],
  // unwindWork, unwindInterruptedWork
  [`${ACTIVITY_31}      if (null !== workInProgress.memoizedState) {`, SUSPENSE_13],
  ["    case 19:\n      return (\n        popSuspenseListContext(", "    case 10:\n"],
  [`${PORTAL_4}      popHostContainer();\n      break;\n${ACTIVITY_31}      null !==`, SUSPENSE_13],
  ["    case 19:\n      popSuspenseListContext(interruptedWork);", "    case 10:\n"],
  // commitMutationEffectsOnFiber
  [
    "    case 26:\n      ii = currentHoistableRoot;",
    "    case 5:\n      ii = offscreenDirectParentIsHidden;",
  ],
  [`${PORTAL_4}      flags = offscreenDirectParentIsHidden;`, SUSPENSE_13],
  ["    case 19:\n      recursivelyTraverseMutationEffects(", "    case 21:\n"],
  // commitDeletionEffectsOnFiber
  [
    "    case 26:\n      offscreenSubtreeWasHidden ||\n        safelyDetachRef(deletedFiber,",
    "    case 5:\n      offscreenSubtreeWasHidden ||",
  ],
  [
    "      prevHostParent = hostParent;\n      prevHostParentIsContainer = hostParentIsContainer;\n      hostParent = null;",
    "\n      recursivelyTraverseDeletionEffects(\n",
    "      var prevHostParent = hostParent,\n        prevHostParentIsContainer = hostParentIsContainer;\n      hostParent = null;",
  ],
  [`${PORTAL_4}      prevHostParent = hostParent;`, "    case 0:\n"],
  ["    case 30:\n      safelyDetachRef(deletedFiber,", "    case 7:\n"],
  // commitLayoutEffectOnFiber and its opposites
  [
    "    case 27:\n      null === current &&\n        flags & 4 &&",
    "    case 5:\n      recursivelyTraverseLayoutEffects(",
  ],
  [
    "    case 12:\n      recursivelyTraverseLayoutEffects(",
    `${SUSPENSE_13}      recursivelyTraverseLayoutEffects(`,
  ],
  ["    case 30:\n      recursivelyTraverseLayoutEffects(", "    case 7:\n"],
  [
    "      case 27:\n        0 !== (layoutEffectTraversalFlags & 2) &&\n          releaseSingletonInstance(",
    "      case 5:\n",
  ],
  ["      case 26:\n        safelyDetachRef(finishedWork,", "      case 22:\n"],
  ["      case 30:\n        safelyDetachRef(finishedWork,", "      case 7:\n"],
  [
    "      case 27:\n        0 !== (layoutEffectTraversalFlags & 2) &&\n          commitHostSingletonAcquisition(",
    "      case 5:\n",
  ],
  [
    "      case 26:\n        instance = finishedWork.stateNode;\n        null !== finishedWork.memoizedState ||\n          null === instance ||\n          offscreenSubtreeIsHidden",
    "      case 13:\n",
  ],
  ["      case 30:\n        recursivelyTraverseReappearLayoutEffects(", "      case 7:\n"],
  // commitPassiveMountOnFiber
  ["      isViewTransitionEligible &&\n        rootViewTransitionNameCanceled &&", "      flags & 2048 &&\n"],
  [
    "    case 12:\n      if (flags & 2048) {",
    "    case 23:\n      break;\n    case 22:\n      _finishedWork$memoize2",
    "    var _finishedWork$memoize2, id;\n    case 13:\n      recursivelyTraversePassiveMountEffects(finishedRoot, finishedWork, committedLanes, committedTransitions);\n      break;\n",
  ],
  [
    "    case 30:\n      isViewTransitionEligible &&\n        ((flags = finishedWork.alternate),",
    "    default:\n      recursivelyTraversePassiveMountEffects(",
  ],
  // Commits that a view transition could wait for or animate.
  [
    "  suspendedCommitReason = null;\n  if (\n    isViewTransitionEligible ||",
    "  completeRoot(\n    root,\n    finishedWork,\n    lanes,\n    recoverableErrors,",
    "  suspendedCommitReason = null;\n",
  ],
  [
    "  committedLanes = (committedLanes & 335544064)",
    "  nextEffect = firstChild;\n",
    "  committedLanes = !1;\n",
  ],
  [
    "    if (\n      committedLanes &&\n      ((JSCompiler_temp = root.deletions),",
    "    if (null === root.alternate && 0 !== (root.flags & 2))",
  ],
  [
    "      case 30:\n        isViewTransitionEligible &&\n          null !== current &&",
    "      default:\n        if (0 !== (flags & 1024)) throw",
  ],
  [
    "  pendingViewTransitionEvents = null;\n  (lanes & 335544064)",
    "  0 !== (finishedWork.subtreeFlags & spawnedLane) ||",
    "  spawnedLane = 10256;\n",
  ],
  [
    "  shouldStartViewTransition\n    ? (pendingViewTransition = startViewTransition(",
    "(flushMutationEffects(), flushLayoutEffects(), flushSpawnedWork());",
  ],
  [
    "passiveSubtreeMask = (lanes & 335544064)",
    "\n    0 !== (finishedWork.subtreeFlags & passiveSubtreeMask)",
    "passiveSubtreeMask = 10256;",
  ],
  [
    "(committedLanes & 335544064) === committedLanes;\n  if (parentFiber.subtreeFlags & (",
    "\n    for (parentFiber = parentFiber.child; null !== parentFiber; )\n      commitPassiveMountOnFiber(",
    "!1;\n  if (parentFiber.subtreeFlags & 10256)",
  ],
  [
    "(committedLanes & 335544064) === committedLanes;\n  isViewTransitionEligible &&",
    "  var flags = finishedWork.flags;\n  switch (finishedWork.tag) {\n    case 0:\n    case 11:\n    case 15:\n      recursivelyTraversePassiveMountEffects(",
    "!1;\n",
  ],
  [
    "    recoverableErrors = pendingViewTransitionEvents;",
    "    0 !== (pendingEffectsLanes & 3) && flushPendingEffects();",
  ],
  // Lifecycle methods.
  [
    '    "function" === typeof Component.getDerivedStateFromProps ||\n      "function" === typeof context.getSnapshotBeforeUpdate ||',
    '    "function" === typeof context.componentDidMount &&\n',
  ],
  ["    contextType$jscomp$0 ||\n      (", "    hasForceUpdate = !1;\n"],
  [
    "contextType$jscomp$0 ||\n              (",
    '            "function" === typeof context.componentDidMount &&\n',
  ],
  ['    (oldContext =\n      "function" === typeof unresolvedOldProps', "    hasForceUpdate = !1;\n"],
  ["oldContext ||\n              (", '            "function" === typeof context.componentDidUpdate &&\n'],
];
