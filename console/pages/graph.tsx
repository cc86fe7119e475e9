/** The memories of a container as a graph: a picture, and beside it a list that says the same. */

import { useState } from "react";
import { useContainers } from "../api/use-containers.ts";
import { useLoad } from "../api/use-load.ts";
import { useConsole } from "../context.ts";
import { PageTitle } from "../frame.tsx";
import { GraphList } from "../graph/graph-list.tsx";
import { GraphPicture } from "../graph/graph-picture.tsx";
import { type Graph, loadGraph } from "../graph/load-graph.ts";
import { Choice, Tick } from "../parts/fields.tsx";
import { Empty, WhenLoaded } from "../parts/messages.tsx";
import { counted } from "../parts/values.tsx";
import { go, to, withQuery } from "../route.ts";

export function GraphPage({ container: asked }: { readonly container: string | null }) {
	const containers = useContainers();
	return (
		<>
			<PageTitle>Graph</PageTitle>
			<WhenLoaded loaded={containers}>
				{({ tags, all }) => {
					const fullest = all.toSorted((a, b) => b.memoryCount - a.memoryCount)[0]?.containerTag;
					const container = asked ?? fullest ?? tags[0];
					return container === undefined ? (
						<Empty title="There are no containers yet." />
					) : (
						<OfContainer key={container} tags={tags.includes(container) ? tags : [container, ...tags]} container={container} />
					);
				}}
			</WhenLoaded>
		</>
	);
}

function OfContainer({ tags, container }: { readonly tags: readonly string[]; readonly container: string }) {
	const { api } = useConsole();
	const [withDocuments, setWithDocuments] = useState(false);
	const loaded = useLoad(`${container} ${withDocuments}`, (signal) => loadGraph(api, container, withDocuments, signal));
	const options = tags.map((tag) => ({ id: tag, label: tag }));
	return (
		<>
			<div className="filters graph-filters">
				<Choice label="Container" options={options} value={container} onChange={(tag) => go(withQuery(to("graph"), { container: tag }))} />
				<Tick isSelected={withDocuments} onChange={setWithDocuments}>
					With the sources
				</Tick>
			</div>
			<WhenLoaded loaded={loaded}>
				{(graph) => (graph.nodes.length === 0 ? <Empty title="This container has no memories." /> : <Shown graph={graph} />)}
			</WhenLoaded>
		</>
	);
}

function Shown({ graph }: { readonly graph: Graph }) {
	const [picked, setPicked] = useState<string | null>(null);
	return (
		<section className="card" aria-labelledby="graph">
			<div className="card-title">
				<h2 id="graph">
					{counted(graph.nodes.length, "node")}, {counted(graph.edges.length, "connection")}
				</h2>
				{graph.isCut && <span className="hint">There are more: the newest are shown.</span>}
			</div>
			<div className="graph-columns">
				<GraphPicture graph={graph} picked={picked} onPick={setPicked} />
				<GraphList graph={graph} picked={picked} onPick={setPicked} />
			</div>
		</section>
	);
}
