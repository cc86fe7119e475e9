/** The first page: how much there is, what is being worked on, what has failed, and what to do first. */

import { useEffect, useRef } from "react";
import { AddPanel } from "../adding/add-panel.tsx";
import { UploadList } from "../adding/upload-list.tsx";
import { useReloadAfterUploads } from "../adding/use-reload-after-uploads.ts";
import { type Containers, useContainers } from "../api/use-containers.ts";
import { type Loaded, useLoad } from "../api/use-load.ts";
import type { DocumentPage, Facets } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { titleOf } from "../documents/document-row.tsx";
import { PageTitle } from "../frame.tsx";
import { Trouble, WhenLoaded } from "../parts/messages.tsx";
import { Count, counted, When } from "../parts/values.tsx";
import { to, withQuery } from "../route.ts";

/** Quick enough to see the queue move; slow where nothing moves, since counting costs. */
const busyMs = 2_000;
const idleMs = 20_000;
const newestCount = 6;

export function HomePage() {
	const { api, mayWrite } = useConsole();
	const facets = useLoad("facets", (signal) => api.ask<Facets>("POST", "/v3/documents/documents/facets", {}, signal), pauseOf);
	const containers = useContainers(facets.value === null ? null : pauseOf(facets.value));
	const newest = useLoad("newest", (signal) => api.ask<DocumentPage>("POST", "/v3/documents/list", { limit: newestCount }, signal));
	const { reload } = newest;
	const mark = facets.value === null ? null : `${facets.value.total} ${facets.value.statuses["done"] ?? 0}`;
	const before = useRef<string | null>(null);
	useEffect(() => {
		if (before.current !== null && before.current !== mark) reload();
		before.current = mark;
	}, [mark, reload]);
	useReloadAfterUploads(facets.reload);
	const isEmpty = newest.value !== null && newest.value.memories.length === 0;
	return (
		<>
			<PageTitle>Home</PageTitle>
			{facets.problem !== null && <Trouble problem={facets.problem} onRetry={facets.reload} />}
			<Figures facets={facets.value} containers={containers} />
			<UploadList />
			{isEmpty && mayWrite && <FirstSteps containers={containers} />}
			{isEmpty && !mayWrite && <p>Nothing is stored yet, and this key may only read. Sign in with a key that may write to add documents.</p>}
			{!isEmpty && <Newest newest={newest} />}
		</>
	);
}

function pauseOf(facets: Facets): number {
	return unfinishedIn(facets) + dreamingIn(facets) > 0 ? busyMs : idleMs;
}

function unfinishedIn({ total, statuses }: Facets): number {
	return total - (statuses["done"] ?? 0) - (statuses["failed"] ?? 0);
}

function dreamingIn({ dreamingStatuses }: Facets): number {
	return dreamingStatuses["dreaming"] ?? 0;
}

/** Each has its place from the beginning: counting a hundred thousand documents takes longer than reading the newest. */
function Figures({ facets, containers }: { readonly facets: Facets | null; readonly containers: Loaded<Containers> }) {
	const { session } = useConsole();
	const failed = facets?.statuses["failed"] ?? 0;
	const dreaming = facets === null ? 0 : dreamingIn(facets);
	const { value, problem } = containers;
	return (
		<>
			<ul className="figures" aria-label="How much there is" aria-busy={facets === null}>
				<Figure value={facets?.total} label="Documents" address={to("documents")} />
				{session.containerTags === null && <Figure value={value?.memories ?? undefined} label="Memories" address={to("memories")} />}
				<Figure value={value?.tags.length} label="Containers" address={to("access")} />
				<Figure value={facets === null ? undefined : unfinishedIn(facets)} label="In the queue" address={withQuery(to("documents"), { state: "working" })} />
				<Figure value={facets === null ? undefined : failed} label="Failed" address={withQuery(to("documents"), { state: "failed" })} isBad={failed > 0} />
			</ul>
			{dreaming > 0 && <p className="hint">Memories are still being extracted from {counted(dreaming, "document")}.</p>}
			{problem !== null && <Trouble problem={problem} />}
		</>
	);
}

interface FigureProps {
	/** Missing until it is known. */
	readonly value: number | undefined;
	readonly label: string;
	readonly address: string;
	readonly isBad?: boolean;
}

function Figure({ value, label, address, isBad = false }: FigureProps) {
	return (
		<li>
			<a href={address} className={isBad ? "figure bad" : "figure"}>
				<span className="figure-value">{value === undefined ? "…" : <Count value={value} />}</span> <span className="figure-label">{label}</span>
			</a>
		</li>
	);
}

function FirstSteps({ containers }: { readonly containers: Loaded<Containers> }) {
	return (
		<section className="card" aria-labelledby="first-steps">
			<div className="card-title">
				<h2 id="first-steps">Add the first document</h2>
			</div>
			<p>Drop a file, paste a text, or give an address. As soon as it is done you can search it.</p>
			<AddPanel containers={containers.value?.tags ?? []} container="" />
		</section>
	);
}

function Newest({ newest }: { readonly newest: Loaded<DocumentPage> }) {
	return (
		<section className="card" aria-labelledby="newest">
			<div className="card-title">
				<h2 id="newest">Newest documents</h2>
				<a href={to("documents")}>All documents</a>
			</div>
			<WhenLoaded loaded={newest}>
				{({ memories }) => (
					<ul className="rows">
						{memories.map((document) => (
							<li key={document.id} className="row plain">
								<a href={to("documents", document.id)}>{titleOf(document)}</a>
								<span className="hint">
									{document.type} · <When time={document.createdAt} />
								</span>
							</li>
						))}
					</ul>
				)}
			</WhenLoaded>
		</section>
	);
}
