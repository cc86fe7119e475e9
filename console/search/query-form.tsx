/** The query and what it depends on. */

import { useState } from "react";
import { Button, Disclosure, DisclosurePanel, Form, Heading } from "react-aria-components";
import { useContainers } from "../api/use-containers.ts";
import { Choice, Field, Tick } from "../parts/fields.tsx";
import { NameChoice } from "../parts/names.tsx";
import type { Query } from "./query.ts";

const limits = ["3", "5", "10", "20", "50"].map((id) => ({ id, label: id }));
const thresholds = ["0", "0.2", "0.4", "0.6", "0.8"].map((id) => ({ id, label: id === "0" ? "0 (everything)" : id }));

interface QueryFormProps {
	readonly first: Query;
	readonly onSearch: (query: Query) => void;
}

export function QueryForm({ first, onSearch }: QueryFormProps) {
	const [query, setQuery] = useState(first);
	const [problem, setProblem] = useState<string | null>(null);
	const change = (changes: Partial<Query>) => setQuery({ ...query, ...changes });
	return (
		<Form
			className="card query"
			onSubmit={(event) => {
				event.preventDefault();
				const q = query.q.trim();
				setProblem(q === "" ? "Write what to look for." : null);
				if (q !== "") onSearch({ ...query, q });
			}}
		>
			<div className="query-line">
				<Field
					label="Query"
					type="search"
					value={query.q}
					onChange={(q) => change({ q })}
					problem={problem}
					description="A question or some words. * finds everything, newest first."
				/>
				<Button type="submit" className="button filled">
					Search
				</Button>
			</div>
			<Disclosure className="disclosure">
				<Heading level={2}>
					<Button slot="trigger" className="button quiet">
						<span aria-hidden="true" className="chevron" /> Parameters
					</Button>
				</Heading>
				<DisclosurePanel>
					<Parameters query={query} change={change} />
				</DisclosurePanel>
			</Disclosure>
		</Form>
	);
}

function Parameters({ query, change }: { readonly query: Query; readonly change: (changes: Partial<Query>) => void }) {
	const containers = useContainers();
	const tags = containers.value?.tags ?? [];
	return (
		<div className="parameters">
			<NameChoice label="Container" all="All containers" names={tags} value={query.container} onChange={(container) => change({ container })} />
			<Choice label="Most results" options={limits} value={String(query.limit)} onChange={(limit) => change({ limit: Number(limit) })} />
			<Choice label="Least relevance" options={thresholds} value={String(query.threshold)} onChange={(value) => change({ threshold: Number(value) })} />
			<div className="ticks">
				<Tick isSelected={query.rerank} onChange={(rerank) => change({ rerank })}>
					Rerank: a second scorer looks at the best
				</Tick>
				<Tick isSelected={query.rewriteQuery} onChange={(rewriteQuery) => change({ rewriteQuery })}>
					Rewrite: also search for other phrasings
				</Tick>
				<Tick isSelected={query.onlyMatchingChunks} onChange={(onlyMatchingChunks) => change({ onlyMatchingChunks })}>
					Only chunks that match, without those around them
				</Tick>
				<Tick isSelected={query.forgotten} onChange={(forgotten) => change({ forgotten })}>
					Also forgotten and replaced memories
				</Tick>
			</div>
		</div>
	);
}
