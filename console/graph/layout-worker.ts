/**
 * The script of a thread that finds places for the nodes of a graph, and says every now and then where they are. It calls the inner
 * function of the layout with the tables that this one works on, so that a thread needs no graph and keeps the speeds of the nodes.
 */

import defaults from "graphology-layout-forceatlas2/defaults";
import iterate from "graphology-layout-forceatlas2/iterate";

/** The nodes are numbered: x and y of one after the other, and the two ends of each edge. */
export interface LayoutRequest {
	readonly places: Float32Array<ArrayBuffer>;
	readonly edges: Uint32Array<ArrayBuffer>;
}

/** Where the nodes are so far. */
export type LayoutAnswer = Float32Array<ArrayBuffer>;

/** How long the layout moves nodes, and how often it says where they are: each time the page draws them anew. */
const layoutMs = 6_000;
const tellEveryMs = 250;
/** Above it the forces are approximated. */
const exactNodesMax = 500;
/** The width of the tables: of a node its x, y, dx, dy, old dx, old dy, mass, convergence, size, fixed; of an edge its two ends and its weight. */
const [nodeWidth, edgeWidth] = [10, 3];
const mass = 6;

function move({ places, edges }: LayoutRequest): void {
	const count = places.length / 2;
	const [nodeTable, edgeTable] = tablesOf(places, edges);
	// What the library chooses by the number of nodes.
	const settings = { ...defaults, strongGravityMode: true, gravity: 0.05, scalingRatio: 10, slowDown: 1 + Math.log(count) };
	const endsAt = performance.now() + layoutMs;
	while (performance.now() < endsAt) {
		const tellsAt = performance.now() + tellEveryMs;
		do iterate({ ...settings, barnesHutOptimize: count > exactNodesMax }, nodeTable, edgeTable);
		while (performance.now() < tellsAt);
		const moved = places.map((_, i) => nodeTable[(i >> 1) * nodeWidth + (i & 1)] ?? 0);
		postMessage(moved, { transfer: [moved.buffer] });
	}
}

/** A node is as heavy as it has edges, and one more. */
function tablesOf(places: Float32Array, ends: Uint32Array): readonly [nodes: Float32Array, edges: Float32Array] {
	const nodes = new Float32Array((places.length / 2) * nodeWidth);
	for (let i = 0; i < places.length; i += 2) nodes.set([places[i] ?? 0, places[i + 1] ?? 0, 0, 0, 0, 0, 1, 1, 1, 0], (i / 2) * nodeWidth);
	const edges = new Float32Array((ends.length / 2) * edgeWidth);
	for (let i = 0; i < ends.length; i += 2) {
		const [source, target] = [(ends[i] ?? 0) * nodeWidth, (ends[i + 1] ?? 0) * nodeWidth];
		edges.set([source, target, 1], (i / 2) * edgeWidth);
		for (const node of [source, target]) nodes[node + mass] = (nodes[node + mass] ?? 0) + 1;
	}
	return [nodes, edges];
}

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => move(data);
