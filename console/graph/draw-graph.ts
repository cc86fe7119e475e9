/** Draws a graph with WebGL and moves its nodes until they lie well. Loaded on its page alone: nothing else of the console imports it. */

import { DirectedGraph } from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";
import Sigma from "sigma";
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

/** How long the layout moves nodes, in all and within a frame: the page stays smooth while it does. */
const layoutMs = 6_000;
const sliceMs = 10;

/** @throws Error where the browser has no WebGL */
export function drawGraph(place: HTMLElement, { nodes, edges }: Graph, colours: GraphColours, onPick: (id: string) => void): Drawing {
	const graph = new DirectedGraph();
	nodes.forEach(({ id, label, kind, isLatest }, i) => {
		const colour = kind === "document" ? colours.document : isLatest ? colours.memory : colours.older;
		graph.addNode(id, { label: shortened(label), color: colour, size: kind === "document" ? 7 : 5, ...spiral(i) });
	});
	for (const { source, target, relation } of edges)
		if (!graph.hasDirectedEdge(source, target)) graph.addDirectedEdge(source, target, { label: relation, color: colours.line, size: 1 });
	for (const id of graph.nodes()) graph.updateNodeAttribute(id, "size", (size: number) => size + Math.min(6, Math.sqrt(graph.degree(id))));

	let picked: string | null = null;
	const sigma = new Sigma(graph, place, {
		labelColor: { color: colours.text },
		labelRenderedSizeThreshold: 9,
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
	const moving = moveUntilGood(graph);
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
			moving.abort();
			sigma.kill();
		},
	};
}

/** A little in every frame, here and not in a worker: the policy of the page allows no code that is made at run time. */
function moveUntilGood(graph: DirectedGraph): AbortController {
	const stopping = new AbortController();
	const settings = { ...forceAtlas2.inferSettings(graph), barnesHutOptimize: graph.order > 500, adjustSizes: false };
	const endsAt = performance.now() + layoutMs;
	const step = () => {
		const sliceEnds = performance.now() + sliceMs;
		do forceAtlas2.assign(graph, { iterations: 1, settings });
		while (performance.now() < sliceEnds && !stopping.signal.aborted);
		if (performance.now() < endsAt && !stopping.signal.aborted) requestAnimationFrame(step);
	};
	if (graph.order > 1) requestAnimationFrame(step);
	return stopping;
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
