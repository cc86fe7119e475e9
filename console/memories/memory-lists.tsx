/** The memories of a container as lists: all of them, those that a search finds, those that were known on an earlier day. */

import { useState } from "react";
import { Button } from "react-aria-components";
import { type Loaded, useLoad } from "../api/use-load.ts";
import { useReloadAfterEvents } from "../api/use-reload-after-events.ts";
import type { MemoryList, MemoryResults, Profile } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Empty, WhenLoaded } from "../parts/messages.tsx";
import { counted } from "../parts/values.tsx";
import { fromHit, fromList, type MemoryItem } from "./memory-item.ts";
import { MemoryRow } from "./memory-row.tsx";

const pageSize = 20;
const hitsMax = 30;
/** Below it a hit has little to do with the query. */
const leastRelevance = 0.2;

interface FoundProps {
	readonly container: string;
	readonly query: string;
	/** What was known then; null for now. */
	readonly asOf: string | null;
}

export function FoundMemories({ container, query, asOf }: FoundProps) {
	const { api } = useConsole();
	const wanted = { q: query, containerTag: container, threshold: leastRelevance, limit: hitsMax, include: { documents: true, relatedMemories: true } };
	const body = { ...wanted, ...(asOf === null ? {} : { asOf }) };
	const found = useLoad(`${container} ${query} ${asOf}`, (signal) => api.ask<MemoryResults>("POST", "/v4/search", body, signal));
	return (
		<Items
			loaded={found}
			container={container}
			empty="No memory of this container fits."
			title={asOf === null ? "Found" : `Found, ${inWords(asOf)}`}
			isPast={asOf !== null}
		>
			{({ results }) => results.map(fromHit)}
		</Items>
	);
}

export function ListedMemories({ container }: { readonly container: string }) {
	const { api } = useConsole();
	/** Of the pages before this one; the first has none. */
	const [cursors, setCursors] = useState<readonly string[]>([]);
	const body = { containerTags: [container], limit: pageSize, ...(cursors.length === 0 ? {} : { cursor: cursors.at(-1) }) };
	const page = useLoad(JSON.stringify(body), (signal) => api.ask<MemoryList>("POST", "/v4/memories/list", body, signal));
	useReloadAfterEvents(({ type, containerTags = [] }) => type.startsWith("memory.") && containerTags.includes(container), page.reload);
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

/** All that can be listed of an earlier day is the profile of then: it has the words alone. */
export function PastMemories({ container, asOf }: { readonly container: string; readonly asOf: string }) {
	const { api } = useConsole();
	const body = { containerTag: container, asOf };
	const loaded = useLoad(`${container} ${asOf}`, (signal) => api.ask<Profile>("POST", "/v4/profile", body, signal));
	return (
		<section className="card" aria-labelledby="memories">
			<div className="card-title">
				<h2 id="memories">What was known, {inWords(asOf)}</h2>
			</div>
			<WhenLoaded loaded={loaded}>
				{({ profile: { static: lasting = [], dynamic: recent = [] } }) =>
					lasting.length + recent.length === 0 ? (
						<Empty title="Nothing was known of this container then." />
					) : (
						<>
							<PastTexts title="Lasting" texts={lasting} />
							<PastTexts title="Recent then" texts={recent} />
							<p className="hint">This is the profile of that day. To find more of what was known then, search.</p>
						</>
					)
				}
			</WhenLoaded>
		</section>
	);
}

function PastTexts({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
	if (texts.length === 0) return null;
	return (
		<div>
			<h3>{title}</h3>
			<ul className="rows">
				{texts.map((text) => (
					<li key={text} className="row plain memory">
						{text}
					</li>
				))}
			</ul>
		</div>
	);
}

const days = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

function inWords(asOf: string): string {
	return `as of ${days.format(new Date(asOf))}`;
}

interface ItemsProps<Answer> {
	readonly loaded: Loaded<Answer>;
	readonly container: string;
	readonly title: string;
	readonly empty: string;
	readonly isPast?: boolean;
	readonly children: (answer: Answer) => readonly MemoryItem[];
}

function Items<Answer>({ loaded, container, title, empty, isPast = false, children }: ItemsProps<Answer>) {
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
									<MemoryRow item={item} container={container} onChanged={loaded.reload} isPast={isPast} />
								</li>
							))}
						</ul>
					);
				}}
			</WhenLoaded>
		</section>
	);
}
