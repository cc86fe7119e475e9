/** Draws a graph with WebGL while its layout moves the nodes. Loaded on its page alone: nothing else of the console imports it. */

import { DirectedGraph } from "graphology";
import Sigma from "sigma";
import { EdgeLineProgram, NodePointProgram } from "sigma/rendering";
import type { LayoutAnswer, LayoutRequest } from "./layout-worker.ts";
import type { Graph } from "./load-graph.ts";

export interface GraphColours {
	readonly text: string;
	readonly memory: string;
	readonly older: string;
	readonly document: string;
	readonly line: string;
	/** Behind a label. */
	readonly ground: string;
}

export interface Drawing {
	/** Brings a node into the middle and marks it; null marks none. */
	readonly show: (id: string | null) => void;
	readonly zoom: (direction: "in" | "out" | "all") => void;
	readonly stop: () => void;
}

/** The name of the file that `layout-worker.ts` is bundled into; the bundler puts it here. */
declare const layoutScript: string;

/** So many nodes fit into the picture at their full size. More are drawn smaller, or they would cover each other. */
const roomyCount = 600;
const leastScale = 0.35;

/** @throws Error where the browser has no WebGL */
export function drawGraph(place: HTMLElement, { nodes, edges }: Graph, colours: GraphColours, onPick: (id: string) => void): Drawing {
	const graph = new DirectedGraph();
	const scale = Math.min(1, Math.max(leastScale, Math.sqrt(roomyCount / nodes.length)));
	nodes.forEach(({ id, label, kind, isLatest }, i) => {
		const colour = kind === "document" ? colours.document : isLatest ? colours.memory : colours.older;
		graph.addNode(id, { label: shortened(label), color: colour, size: kind === "document" ? 7 : 5, ...spiral(i) });
	});
	for (const { source, target, relation } of edges)
		if (!graph.hasDirectedEdge(source, target)) graph.addDirectedEdge(source, target, { label: relation, color: colours.line, size: 1 });
	for (const id of graph.nodes()) graph.updateNodeAttribute(id, "size", (size: number) => scale * (size + Math.min(6, Math.sqrt(graph.degree(id)))));

	let picked: string | null = null;
	const sigma = new Sigma(graph, place, {
		// One point for each node and one line for each edge: without a GPU they take a fifth of the time of circles and rectangles.
		nodeProgramClasses: { circle: NodePointProgram },
		edgeProgramClasses: { line: EdgeLineProgram },
		labelColor: { color: colours.text },
		labelRenderedSizeThreshold: 9 * scale,
		minCameraRatio: 0.02,
		maxCameraRatio: 3,
		nodeReducer: (id, data) => (id === picked ? { ...data, highlighted: true, size: Number(data["size"]) * 1.6 } : data),
		edgeReducer: (edge, data) => (picked !== null && graph.hasExtremity(edge, picked) ? { ...data, color: colours.memory, size: 2 } : data),
		// The library's own box behind a label is white.
		defaultDrawNodeHover: (context, { x, y, size, label }) => {
			context.font = "600 14px system-ui, sans-serif";
			context.fillStyle = colours.ground;
			context.fillRect(x + size, y - 11, context.measureText(String(label ?? "")).width + 8, 22);
			context.fillStyle = colours.text;
			context.fillText(String(label ?? ""), x + size + 4, y + 5);
		},
	});
	sigma.on("clickNode", ({ node }) => onPick(node));
	const stopMoving = moveUntilGood(graph);
	return {
		show: (id) => {
			picked = id !== null && graph.hasNode(id) ? id : null;
			sigma.refresh({ skipIndexation: true });
			const at = picked === null ? undefined : sigma.getNodeDisplayData(picked);
			if (at !== undefined) void sigma.getCamera().animate({ x: at.x, y: at.y, ratio: 0.25 }, { duration: calmMs(300) });
		},
		zoom: (direction) => {
			const camera = sigma.getCamera();
			const how = { duration: calmMs(200) };
			void (direction === "in" ? camera.animatedZoom(how) : direction === "out" ? camera.animatedUnzoom(how) : camera.animatedReset(how));
		},
		stop: () => {
			stopMoving();
			sigma.kill();
		},
	};
}

/** The thread knows nodes by their number, in the order in which the graph has them. @returns a function that ends it. */
function moveUntilGood(graph: DirectedGraph): () => void {
	if (graph.order < 2) return () => undefined;
	const numbers = new Map(graph.nodes().map((id, number) => [id, number]));
	const numberOf = (id: string) => numbers.get(id) ?? 0;
	const places = Float32Array.from(graph.mapNodes((_, { x, y }) => [Number(x), Number(y)]).flat());
	const edges = Uint32Array.from(graph.mapDirectedEdges((_, __, source, target) => [numberOf(source), numberOf(target)]).flat());
	const place = (moved: Float32Array) => (id: string, attributes: object) => ({ ...attributes, x: moved[numberOf(id) * 2], y: moved[numberOf(id) * 2 + 1] });
	const worker = new Worker(new URL(layoutScript, import.meta.url), { type: "module" });
	worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => graph.updateEachNodeAttributes(place(data), { attributes: ["x", "y"] });
	worker.postMessage({ places, edges } satisfies LayoutRequest, [places.buffer, edges.buffer]);
	return () => worker.terminate();
}

/** Where nodes begin: never two at one place, and the same at every opening. */
function spiral(i: number): { readonly x: number; readonly y: number } {
	const angle = i * 2.399_963;
	return { x: Math.sqrt(i + 1) * Math.cos(angle), y: Math.sqrt(i + 1) * Math.sin(angle) };
}

function calmMs(usual: number): number {
	return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : usual;
}

function shortened(label: string): string {
	return label.length > 60 ? `${label.slice(0, 59)}…` : label;
}
