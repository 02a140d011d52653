import { renderClass } from "./class-component.ts";
import { tagOf, writeInside } from "./host-element.ts";
import { renderKept } from "./kept-parts.ts";
import { leaveToReact, output, write, writeText } from "./output.ts";
import {
  type Component,
  isComponent,
  isContext,
  isProps,
  kinds,
  type Marked,
  type Props,
} from "./react-internals.ts";
import { isPlainForm, isPlainLink, propsOfForm, writeLinkStart } from "./router-elements.ts";
import { moveToChild, returnTo, treePosition } from "./tree-position.ts";

/** Renders anything that a component may return. */
export function renderNode(node: unknown): void {
  if (typeof node === "string") writeText(node);
  else if (typeof node === "number" || typeof node === "bigint") writeText(String(node));
  // React shows no booleans, functions and symbols.
  else if (typeof node === "object" && node !== null) renderObject(node);
}

function renderObject(node: Marked): void {
  if (node.$$typeof === kinds.element) renderElement(node.type, node.props);
  else if (Array.isArray(node)) renderList(node);
  else if (node.$$typeof === kinds.lazy) renderNode(resolveLazy(node));
  else if (isContext(node)) renderNode(node._currentValue2);
  else if (isIterable(node)) renderList([...node]);
  else leaveToReact("a node of an unknown kind");
}

function isIterable(node: Marked): node is Marked & Iterable<unknown> {
  return Symbol.iterator in node && !("then" in node);
}

/** Every list adds a level to the position, even one with a single child. */
function renderList(children: readonly unknown[]): void {
  const position = treePosition();
  const count = children.length;
  for (let index = 0; index < count; index += 1) {
    moveToChild(position, count, index);
    renderNode(children[index]);
  }
  returnTo(position);
}

function renderElement(type: unknown, props: unknown): void {
  if (!isProps(props)) leaveToReact("an element without props");
  if (typeof type === "string") renderHost(type, props);
  else if (isComponent(type)) renderComponent(type, props);
  else if (typeof type === "symbol") renderBuiltIn(type, props);
  else if (typeof type === "object" && type !== null) renderMarked(type, props);
  else leaveToReact("an element of an unknown kind");
}

function renderHost(name: string, props: Props): void {
  const tag = tagOf(name);
  const children = tag.write(tag, props);
  output.afterText = false;
  if (tag.inside === null) renderNode(children);
  else if (tag.inside === "options") renderOptions(children, props["value"] ?? props["defaultValue"] ?? null);
  else renderInside(children, { svg: tag.inside === "svg" });
  write(tag.end);
  output.afterText = false;
}

function renderOptions(children: unknown, selected: unknown): void {
  const outside = output.selected;
  output.selected = selected;
  renderNode(children);
  output.selected = outside;
}

function renderInside(children: unknown, { svg }: { svg: boolean }): void {
  const outside = output.inSvg;
  output.inSvg = svg;
  renderNode(children);
  output.inSvg = outside;
}

function renderComponent(type: Component, props: Props): void {
  if (type.kept === true && renderKept(type, props, renderFunction)) return;
  if (type.prototype?.isReactComponent === undefined) renderFunction(type, props);
  else renderNode(renderClass(type, props));
}

/** A component that has taken an id adds a level to the position of what is below it. */
function renderFunction(component: Component, props: Props, ref?: unknown): void {
  output.localIds = 0;
  const children = component(props, ref);
  if (output.localIds === 0) return renderNode(children);
  const position = treePosition();
  moveToChild(position, 1, 0);
  renderNode(children);
  return returnTo(position);
}

function renderBuiltIn(type: symbol, { children }: Props): void {
  switch (type) {
    case kinds.fragment:
    case kinds.strictMode:
    case kinds.profiler:
      return renderNode(children);
    case kinds.suspense:
      // Content that is not there throws, so nothing waits here.
      write("<!--$-->");
      output.afterText = false;
      renderNode(children);
      write("<!--/$-->");
      output.afterText = false;
      return undefined;
    default:
      return leaveToReact(`an element of the kind ${String(type)}`);
  }
}

function renderMarked(type: Marked, props: Props): void {
  switch (type.$$typeof) {
    case kinds.context:
      return renderProvider(type, props);
    case kinds.forwardRef:
      if (isPlainLink(type, props)) return renderLink(props);
      if (isPlainForm(type, props)) return renderHost("form", propsOfForm(props));
      return renderForwardRef(type.render, props);
    case kinds.memo:
      return renderElement(type.type, props);
    case kinds.lazy:
      return renderElement(resolveLazy(type), props);
    case kinds.consumer:
      return renderConsumer(type._context, props["children"]);
    default:
      return leaveToReact("an element of an unknown kind");
  }
}

function renderLink(props: Props): void {
  writeLinkStart(props);
  output.afterText = false;
  renderNode(writeInside(props));
  write("</a>");
  output.afterText = false;
}

function renderProvider(context: Marked, { value, children }: Props): void {
  if (!isContext(context)) leaveToReact("a context of an unknown kind");
  const { ownContexts } = output;
  const outer = context._currentValue2;
  const isNew = ownContexts !== null && !ownContexts.has(context);
  if (isNew) ownContexts.add(context);
  context._currentValue2 = value;
  try {
    renderNode(children);
  } finally {
    context._currentValue2 = outer;
    if (isNew) ownContexts.delete(context);
  }
}

function renderConsumer(context: unknown, render: unknown): void {
  if (!isContext(context) || !isComponent(render) || output.ownContexts !== null)
    leaveToReact("a consumer of an unknown kind");
  const children: unknown = Reflect.apply(render, undefined, [context._currentValue2]);
  renderNode(children);
}

function renderForwardRef(render: unknown, { ref = null, ...props }: Props): void {
  if (!isComponent(render)) leaveToReact("a component of an unknown kind");
  renderFunction(render, props, ref);
}

function resolveLazy({ _init: init, _payload: payload }: Marked): unknown {
  if (!isComponent(init)) leaveToReact("a lazy component of an unknown kind");
  // It throws while its code is loading.
  return Reflect.apply(init, undefined, [payload]);
}
