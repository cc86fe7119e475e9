/** The memories of a container as a graph: a picture, and beside it a list that says the same. */

import { useState } from "react";
import { useContainers, useFullest } from "../api/use-containers.ts";
import { useLoad } from "../api/use-load.ts";
import { useConsole } from "../context.ts";
import { PageTitle } from "../frame.tsx";
import { GraphList } from "../graph/graph-list.tsx";
import { GraphPicture } from "../graph/graph-picture.tsx";
import { type Graph, loadGraph } from "../graph/load-graph.ts";
import { DaySlider, endOf } from "../memories/day-slider.tsx";
import { Tick } from "../parts/fields.tsx";
import { Empty, WhenLoaded } from "../parts/messages.tsx";
import { NameChoice } from "../parts/names.tsx";
import { counted } from "../parts/values.tsx";
import { go, to, withQuery } from "../route.ts";

export function GraphPage({ container: asked }: { readonly container: string | null }) {
	const containers = useContainers();
	const container = useFullest(asked, containers);
	const tags = containers.value?.tags ?? [];
	return (
		<>
			<PageTitle>Graph</PageTitle>
			{container === null ? (
				<WhenLoaded loaded={containers}>{() => <Empty title="There are no containers yet." />}</WhenLoaded>
			) : (
				<OfContainer
					key={container}
					tags={tags.includes(container) ? tags : [container, ...tags]}
					container={container}
					since={containers.value?.all.find(({ containerTag }) => containerTag === container)?.createdAt}
				/>
			)}
		</>
	);
}

interface OfContainerProps {
	readonly tags: readonly string[];
	readonly container: string;
	readonly since: string | undefined;
}

function OfContainer({ tags, container, since }: OfContainerProps) {
	const { api } = useConsole();
	const [withDocuments, setWithDocuments] = useState(false);
	const [day, setDay] = useState("");
	const asOf = endOf(day);
	const loaded = useLoad<Graph>(`${container} ${withDocuments} ${asOf}`, (signal, show) => loadGraph(api, { container, withDocuments, asOf }, signal, show));
	return (
		<>
			<div className="filters graph-filters">
				<NameChoice label="Container" names={tags} value={container} onChange={(tag) => go(withQuery(to("graph"), { container: tag }))} />
				<Tick isSelected={withDocuments} onChange={setWithDocuments}>
					With the sources
				</Tick>
			</div>
			<DaySlider since={since} day={day} onChange={setDay} />
			<WhenLoaded loaded={loaded}>
				{(graph) =>
					graph.nodes.length === 0 ? (
						<Empty title={asOf === null ? "This container has no memories." : "Nothing was known of this container then."} />
					) : (
						<Shown graph={graph} />
					)
				}
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
				{!graph.isWhole && <span className="hint">The others are being read…</span>}
				{graph.isWhole && graph.isCut && <span className="hint">There are more: the newest are shown.</span>}
			</div>
			<div className="graph-columns">
				<GraphPicture graph={graph} picked={picked} onPick={setPicked} />
				<GraphList graph={graph} picked={picked} onPick={setPicked} />
			</div>
		</section>
	);
}
