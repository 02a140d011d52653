import { leaveToReact, output } from "./output.ts";
import { isContext, isProps, type Component, type Props } from "./react-internals.ts";

type Instance = {
  state?: unknown;
  props?: unknown;
  context?: unknown;
  updater?: unknown;
  render: () => unknown;
};
type Class = (new (props: Props, context: unknown) => Instance) & {
  contextType?: unknown;
  defaultProps?: unknown;
  getDerivedStateFromProps?: (props: Props, state: unknown) => unknown;
};

const noContext = {};
/** No class here changes its state while it renders. */
const updater = {
  enqueueSetState: () => leaveToReact("a change of state while rendering"),
  enqueueReplaceState: () => leaveToReact("a change of state while rendering"),
  enqueueForceUpdate: () => undefined,
};

/** Renders a class component, such as the router's error boundaries. @returns its children. */
export function renderClass(type: Component, { ref: _ref, ...props }: Props): unknown {
  if (!isClass(type) || type.defaultProps !== undefined || output.ownContexts !== null)
    leaveToReact("a class component of an unknown kind");
  const context = isContext(type.contextType) ? type.contextType._currentValue2 : noContext;
  const instance = new type(props, context);
  if ("componentWillMount" in instance || "UNSAFE_componentWillMount" in instance)
    leaveToReact("a class component that changes its state before it is shown");
  const state = instance.state ?? null;
  Object.assign(instance, { updater, props, context, state });
  const derived = type.getDerivedStateFromProps?.(props, state);
  if (isProps(derived)) instance.state = { ...(isProps(state) ? state : {}), ...derived };
  return instance.render();
}

function isClass(type: Function): type is Class {
  const prototype: unknown = type.prototype;
  return typeof prototype === "object" && prototype !== null && "render" in prototype;
}
