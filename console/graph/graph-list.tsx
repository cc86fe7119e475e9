/** The graph as a list: each node with what it updates, extends, derives from and was extracted from. By keyboard it is walked along its edges. */

import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { Field } from "../parts/fields.tsx";
import { Empty } from "../parts/messages.tsx";
import { counted } from "../parts/values.tsx";
import { to } from "../route.ts";
import type { Graph, GraphNode } from "./load-graph.ts";

const shownAtFirst = 50;
const words: Readonly<Record<string, readonly [string, string]>> = {
	updates: ["takes the place of", "was replaced by"],
	extends: ["adds to", "is added to by"],
	derives: ["follows from", "leads to"],
	drawnFrom: ["comes from", "is the source of"],
};

interface GraphListProps {
	readonly graph: Graph;
	readonly picked: string | null;
	readonly onPick: (id: string | null) => void;
}

export function GraphList({ graph, picked, onPick }: GraphListProps) {
	const [wanted, setWanted] = useState("");
	const [shown, setShown] = useState(shownAtFirst);
	const names = useMemo(() => new Map(graph.nodes.map((node) => [node.id, node])), [graph]);
	const fitting = graph.nodes.filter(({ label }) => label.toLowerCase().includes(wanted.trim().toLowerCase()));
	const node = picked === null ? undefined : names.get(picked);
	return (
		<div className="graph-list">
			{node !== undefined && <Picked node={node} graph={graph} names={names} onPick={onPick} />}
			<Field label="Find in the graph" type="search" value={wanted} onChange={setWanted} />
			{fitting.length === 0 ? (
				<Empty title="Nothing in the graph has these words." />
			) : (
				<ul className="rows" aria-label="Nodes">
					{fitting.slice(0, shown).map(({ id, label, kind, isLatest }) => (
						<li key={id}>
							<Button className={id === picked ? "node picked" : "node"} onPress={() => onPick(id)}>
								<span aria-hidden="true" className={`knot ${kind}${isLatest ? "" : " older"}`} />
								<span>
									{label}
									{kind === "document" && <span className="hint"> · a source</span>}
									{!isLatest && <span className="hint"> · an older version</span>}
								</span>
							</Button>
						</li>
					))}
				</ul>
			)}
			{fitting.length > shown && (
				<Button className="button" onPress={() => setShown(shown + shownAtFirst)}>
					Show more of {counted(fitting.length, "node")}
				</Button>
			)}
		</div>
	);
}

interface PickedProps {
	readonly node: GraphNode;
	readonly graph: Graph;
	readonly names: ReadonlyMap<string, GraphNode>;
	readonly onPick: (id: string | null) => void;
}

/** It takes the focus, so that a screen reader says where one has come. */
function Picked({ node: { id, label, kind }, graph, names, onPick }: PickedProps) {
	const place = useRef<HTMLElement>(null);
	useEffect(() => {
		if (id !== "") place.current?.focus();
	}, [id]);
	const leaving = graph.edges.filter(({ source }) => source === id).map(({ target, relation }) => ({ other: target, words: words[relation]?.[0] ?? relation }));
	const coming = graph.edges.filter(({ target }) => target === id).map(({ source, relation }) => ({ other: source, words: words[relation]?.[1] ?? relation }));
	return (
		<section ref={place} tabIndex={-1} className="picked-node" aria-label={label}>
			<p className="memory">{label}</p>
			{leaving.length + coming.length === 0 && <p className="hint">Nothing is connected with it.</p>}
			<ul className="versions">
				{[...leaving, ...coming].map(({ other, words: relation }) => (
					<li key={`${other} ${relation}`}>
						<span className="hint">{relation}</span>{" "}
						<Button className="button quiet" onPress={() => onPick(other)}>
							{names.get(other)?.label ?? other}
						</Button>
					</li>
				))}
			</ul>
			<div className="actions">
				{kind === "document" && <a href={to("documents", id)}>Open the document</a>}
				<Button className="button quiet" onPress={() => onPick(null)}>
					Close
				</Button>
			</div>
		</section>
	);
}
