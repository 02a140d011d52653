import type { CDPSession, Page } from "playwright/test";

/** A node of the accessibility tree, as far as it is read. */
type Node = {
  role: string;
  name: string;
  /** The properties that are set, such as "checked" and "live". */
  properties: ReadonlyMap<string, unknown>;
  childIds: readonly string[];
  domNode: number | undefined;
};

/** Uses a page as a screen reader does: it knows the roles, names and live regions of the accessibility tree, and nothing else. */
export type ScreenReader = {
  /** True if there is such a node. */
  finds: (role: string, name: RegExp) => Promise<boolean>;
  /** The name of the first such node; throws without one. */
  read: (role: string, name: RegExp) => Promise<string>;
  /** Whether the first such node is checked. */
  isChecked: (role: string, name: RegExp) => Promise<boolean>;
  /** False for a control that is dimmed, or not there. */
  canPress: (role: string, name: RegExp) => Promise<boolean>;
  /** Moves the focus to the first such node. */
  focus: (role: string, name: RegExp) => Promise<void>;
  /** Moves the focus to the first such node and presses Enter. */
  press: (role: string, name: RegExp) => Promise<void>;
  /** Everything that the live regions say now. */
  hears: () => Promise<string>;
};

export async function openScreenReader(page: Page): Promise<ScreenReader> {
  const session = await page.context().newCDPSession(page);
  await session.send("Accessibility.enable");
  await session.send("DOM.enable");
  const find = async (role: string, name: RegExp): Promise<Node> => {
    const { root } = await session.send("DOM.getDocument", { depth: 0 });
    const { nodes } = await session.send("Accessibility.queryAXTree", { nodeId: root.nodeId, role });
    const ofRole = nodes.filter(({ ignored }) => !ignored).map(readNode);
    const node = ofRole.find((each) => name.test(each.name));
    if (node !== undefined) return node;
    throw new Error(`No ${role} is called ${name}, but: ${ofRole.map((each) => each.name).join("; ")}`);
  };
  const focus = async (role: string, name: RegExp) => {
    const { domNode } = await find(role, name);
    if (domNode === undefined) throw new Error(`${name} cannot have the focus.`);
    await session.send("DOM.focus", { backendNodeId: domNode });
  };
  return {
    focus,
    finds: (role, name) =>
      find(role, name).then(
        () => true,
        () => false,
      ),
    read: async (role, name) => (await find(role, name)).name,
    isChecked: async (role, name) => (await find(role, name)).properties.get("checked") === "true",
    canPress: (role, name) =>
      find(role, name).then(
        ({ properties }) => properties.get("disabled") !== true,
        () => false,
      ),
    press: async (role, name) => {
      await focus(role, name);
      await page.keyboard.press("Enter");
    },
    hears: async () => {
      const tree = await readTree(session);
      const live = [...tree.values()].filter(({ properties }) => isLive(properties.get("live")));
      return live.map((node) => textOf(node, tree)).join(" ");
    },
  };
}

function isLive(politeness: unknown): boolean {
  return politeness === "polite" || politeness === "assertive";
}

type AXNode = Awaited<ReturnType<typeof askForTree>>["nodes"][number];
const askForTree = (session: CDPSession) => session.send("Accessibility.getFullAXTree");

function readNode({ ignored, role, name, properties, childIds, backendDOMNodeId }: AXNode): Node {
  return {
    // A node without a meaning of its own, such as a span, has no role here, and the text in it is read.
    role: ignored ? "" : String(role?.value ?? ""),
    name: String(name?.value ?? ""),
    properties: new Map(properties?.map((property) => [property.name, property.value.value])),
    childIds: childIds ?? [],
    domNode: backendDOMNodeId,
  };
}

async function readTree(session: CDPSession): Promise<ReadonlyMap<string, Node>> {
  const { nodes } = await askForTree(session);
  return new Map(nodes.map((node) => [node.nodeId, readNode(node)]));
}

/** The text below a node. */
function textOf(node: Node, tree: ReadonlyMap<string, Node>): string {
  if (node.role === "StaticText") return node.name;
  return node.childIds
    .flatMap((id) => tree.get(id) ?? [])
    .map((child) => textOf(child, tree))
    .join(" ");
}

/** What has the focus, by its name or text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element.matches("body, main")) return element?.localName ?? "";
    const labelled = document.getElementById(element.getAttribute("aria-labelledby") ?? "");
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : labelled;
    return (element.getAttribute("aria-label") ?? label?.textContent ?? element.textContent).trim();
  });
}
