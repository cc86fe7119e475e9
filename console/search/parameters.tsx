/** What a search depends on besides its words. */

import { useContainers } from "../api/use-containers.ts";
import { Choice, Field, Tick } from "../parts/fields.tsx";
import { NameChoice } from "../parts/names.tsx";
import type { Query } from "./query.ts";

const limits = ["3", "5", "10", "20", "50"].map((id) => ({ id, label: id }));
const thresholds = ["0", "0.2", "0.4", "0.6", "0.8"].map((id) => ({ id, label: id === "0" ? "0 (everything)" : id }));
const modes = [
	{ id: "", label: "Memories" },
	{ id: "hybrid", label: "Memories and passages" },
	{ id: "documents", label: "Passages of documents" },
];

interface ParametersProps {
	readonly query: Query;
	readonly change: (changes: Partial<Query>) => void;
}

export function Parameters({ query, change }: ParametersProps) {
	const containers = useContainers();
	const tags = containers.value?.tags ?? [];
	return (
		<div className="parameters">
			<NameChoice label="Container" all="All containers" names={tags} value={query.container} onChange={(container) => change({ container })} />
			<Choice label="Most results" options={limits} value={String(query.limit)} onChange={(limit) => change({ limit: Number(limit) })} />
			<Choice label="Least relevance" options={thresholds} value={String(query.threshold)} onChange={(value) => change({ threshold: Number(value) })} />
			<Choice label="Memory search" options={modes} value={query.searchMode} onChange={(searchMode) => change({ searchMode })} />
			<TextParameters query={query} change={change} />
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
				<Tick isSelected={query.aggregate} onChange={(aggregate) => change({ aggregate })}>
					Aggregate: a language model sums up several memories
				</Tick>
			</div>
		</div>
	);
}

function TextParameters({ query, change }: ParametersProps) {
	return (
		<>
			<Field
				label="Filters"
				value={query.filters}
				onChange={(filters) => change({ filters })}
				description='Conditions on metadata, as JSON: {"author": "Ada"}'
				spellCheck="false"
			/>
			<Field label="Path" value={query.filepath} onChange={(filepath) => change({ filepath })} description="What the path of a document begins with." />
			<Field label="Only in the document" value={query.document} onChange={(document) => change({ document })} description="Its id or customId." />
			<Field
				label="Memories as known on"
				type="date"
				value={query.asOf}
				onChange={(asOf) => change({ asOf })}
				description="What was known at the end of that day."
			/>
			<Field
				label="Memories true on"
				type="date"
				value={query.trueAt}
				onChange={(trueAt) => change({ trueAt })}
				description="What was so on that day, as known today."
			/>
			<Field
				label="Most tokens"
				inputMode="numeric"
				value={query.maxTokens}
				onChange={(maxTokens) => change({ maxTokens: maxTokens.replace(/\D/g, "") })}
				description="Of all memories found together. Empty for no limit."
			/>
		</>
	);
}
