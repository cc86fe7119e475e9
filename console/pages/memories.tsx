/** The memories of a container: listed or searched, corrected, forgotten and brought back. */

import { useState } from "react";
import { Button, Form } from "react-aria-components";
import { useContainers } from "../api/use-containers.ts";
import { type Loaded, useLoad } from "../api/use-load.ts";
import type { MemoryList, MemoryResults } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { PageTitle } from "../frame.tsx";
import { fromHit, fromList, type MemoryItem } from "../memories/memory-item.ts";
import { MemoryRow } from "../memories/memory-row.tsx";
import { Choice, Field } from "../parts/fields.tsx";
import { Empty, WhenLoaded } from "../parts/messages.tsx";
import { counted } from "../parts/values.tsx";
import { go, to, withQuery } from "../route.ts";

const pageSize = 20;
const hitsMax = 30;
/** Below it a hit has little to do with the query. */
const leastRelevance = 0.2;

export function MemoriesPage({ container: asked }: { readonly container: string | null }) {
	const containers = useContainers();
	return (
		<>
			<PageTitle>Memories</PageTitle>
			<WhenLoaded loaded={containers}>
				{({ tags, all }) => {
					const fullest = all.toSorted((a, b) => b.memoryCount - a.memoryCount)[0]?.containerTag;
					const container = asked ?? fullest ?? tags[0];
					return container === undefined ? (
						<Empty title="There are no containers yet.">
							<p>
								Memories are extracted from documents. <a href={to("documents")}>Add one</a>.
							</p>
						</Empty>
					) : (
						<InContainer key={container} tags={tags} container={container} />
					);
				}}
			</WhenLoaded>
		</>
	);
}

function InContainer({ tags, container }: { readonly tags: readonly string[]; readonly container: string }) {
	const [query, setQuery] = useState("");
	const [draft, setDraft] = useState("");
	const options = (tags.includes(container) ? tags : [container, ...tags]).map((tag) => ({ id: tag, label: tag }));
	return (
		<>
			<Form
				className="card query"
				onSubmit={(event) => {
					event.preventDefault();
					setQuery(draft.trim());
				}}
			>
				<div className="query-line">
					<Choice label="Container" options={options} value={container} onChange={(tag) => go(withQuery(to("memories"), { container: tag }))} />
					<Field label="Search in these memories" type="search" value={draft} onChange={setDraft} />
					<Button type="submit" className="button filled">
						Search
					</Button>
					{query !== "" && (
						<Button
							className="button"
							onPress={() => {
								setQuery("");
								setDraft("");
							}}
						>
							Show all
						</Button>
					)}
				</div>
			</Form>
			{query === "" ? <Listed container={container} /> : <Found key={query} container={container} query={query} />}
		</>
	);
}

function Found({ container, query }: { readonly container: string; readonly query: string }) {
	const { api } = useConsole();
	const body = { q: query, containerTag: container, threshold: leastRelevance, limit: hitsMax, include: { documents: true, relatedMemories: true } };
	const found = useLoad(`${container} ${query}`, (signal) => api.ask<MemoryResults>("POST", "/v4/search", body, signal));
	return (
		<Items loaded={found} container={container} empty="No memory of this container fits." title="Found">
			{({ results }) => results.map(fromHit)}
		</Items>
	);
}

function Listed({ container }: { readonly container: string }) {
	const { api } = useConsole();
	/** Of the pages before this one; the first has none. */
	const [cursors, setCursors] = useState<readonly string[]>([]);
	const body = { containerTags: [container], limit: pageSize, ...(cursors.length === 0 ? {} : { cursor: cursors.at(-1) }) };
	const page = useLoad(JSON.stringify(body), (signal) => api.ask<MemoryList>("POST", "/v4/memories/list", body, signal));
	const { pagination, nextCursor = null } = page.value ?? {};
	return (
		<>
			<Items loaded={page} container={container} empty="This container has no memories." title="All memories">
				{({ memoryEntries }) => memoryEntries.map(fromList)}
			</Items>
			{pagination !== undefined && pagination.totalItems > pageSize && (
				<nav className="pager" aria-label="Pages of the list">
					<Button className="button" isDisabled={cursors.length === 0} onPress={() => setCursors(cursors.slice(0, -1))}>
						Newer
					</Button>
					<span className="hint">
						Page {cursors.length + 1} · {counted(pagination.totalItems, "memory", "memories")}
					</span>
					<Button className="button" isDisabled={nextCursor === null} onPress={() => nextCursor !== null && setCursors([...cursors, nextCursor])}>
						Older
					</Button>
				</nav>
			)}
		</>
	);
}

interface ItemsProps<Answer> {
	readonly loaded: Loaded<Answer>;
	readonly container: string;
	readonly title: string;
	readonly empty: string;
	readonly children: (answer: Answer) => readonly MemoryItem[];
}

function Items<Answer>({ loaded, container, title, empty, children }: ItemsProps<Answer>) {
	return (
		<section className="card" aria-labelledby="memories">
			<div className="card-title">
				<h2 id="memories">{title}</h2>
			</div>
			<WhenLoaded loaded={loaded}>
				{(answer) => {
					const items = children(answer);
					if (items.length === 0) return <Empty title={empty} />;
					return (
						<ul className="rows">
							{items.map((item) => (
								<li key={item.root}>
									<MemoryRow item={item} container={container} onChanged={loaded.reload} />
								</li>
							))}
						</ul>
					);
				}}
			</WhenLoaded>
		</section>
	);
}
