/** The graph of memories, page after page: nodes and edges with what a picture and a list need of them. */

import type { Api } from "../api/client.ts";
import type { MemoryGraph } from "../api/wire.ts";

export interface GraphNode {
	readonly id: string;
	readonly label: string;
	readonly kind: "memory" | "document";
	/** An older version is shown as one. */
	readonly isLatest: boolean;
}

export interface GraphEdge {
	readonly source: string;
	readonly target: string;
	readonly relation: string;
}

export interface Graph {
	readonly nodes: readonly GraphNode[];
	readonly edges: readonly GraphEdge[];
	/** Whether all that is shown has been read. */
	readonly isWhole: boolean;
	/** Whether there is more than is shown. */
	readonly isCut: boolean;
}

/** The first rows of the list come with a small page. */
const atFirst = 60;
/** As much as the server answers at once. */
const perRequest = 500;
/** More can be drawn, but not looked at. */
const nodesMax = 5_000;

interface GraphWanted {
	readonly container: string;
	readonly withDocuments: boolean;
	/** Null for what is known now. */
	readonly asOf: string | null;
}

/** @param show is given the first page, if there are more */
export async function loadGraph(api: Api, { container, withDocuments, asOf }: GraphWanted, signal: AbortSignal, show: (graph: Graph) => void): Promise<Graph> {
	const nodes = new Map<string, GraphNode>();
	const edges: GraphEdge[] = [];
	let cursor: string | null = "";
	while (cursor !== null && nodes.size < nodesMax) {
		const then = asOf === null ? {} : { asOf };
		const query = new URLSearchParams({
			containerTag: container,
			limit: String(cursor === "" ? atFirst : perRequest),
			documents: String(withDocuments),
			...then,
			...(cursor && { cursor }),
		});
		const { graph }: MemoryGraph = await api.ask<MemoryGraph>("GET", `/v4/graph?${query}`, undefined, signal);
		for (const [id, node] of Object.entries(graph.nodes)) nodes.set(id, toNode(id, node));
		edges.push(...graph.edges);
		const isFirst = cursor === "";
		cursor = graph.metadata.nextCursor;
		if (isFirst && cursor !== null) show({ nodes: [...nodes.values()], edges: distinct(edges), isWhole: false, isCut: true });
	}
	return { nodes: [...nodes.values()], edges: distinct(edges), isWhole: true, isCut: cursor !== null };
}

function toNode(id: string, { label, metadata }: MemoryGraph["graph"]["nodes"][string]): GraphNode {
	return metadata.kind === "document" ? { id, label, kind: "document", isLatest: true } : { id, label, kind: "memory", isLatest: metadata.isLatest };
}

/** The source of a memory comes with every page on which the memory is. */
function distinct(edges: readonly GraphEdge[]): readonly GraphEdge[] {
	return [...new Map(edges.map((edge) => [`${edge.source} ${edge.target} ${edge.relation}`, edge])).values()];
}
