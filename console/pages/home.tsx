/** The first page: how much there is, what is being worked on, what has failed, and what to do first. */

import { AddPanel } from "../adding/add-panel.tsx";
import { UploadList } from "../adding/upload-list.tsx";
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
	const isEmpty = facets.value !== null && facets.value.total === 0;
	return (
		<>
			<PageTitle>Home</PageTitle>
			<WhenLoaded loaded={facets}>{(counts) => <Figures facets={counts} containers={containers} />}</WhenLoaded>
			<UploadList />
			{isEmpty && mayWrite && <FirstSteps containers={containers} />}
			{isEmpty && !mayWrite && <p>Nothing is stored yet, and this key may only read. Sign in with a key that may write to add documents.</p>}
			{facets.value !== null && !isEmpty && <Newest mark={`${facets.value.total} ${facets.value.statuses["done"] ?? 0}`} />}
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

function Figures({ facets, containers }: { readonly facets: Facets; readonly containers: Loaded<Containers> }) {
	const failed = facets.statuses["failed"] ?? 0;
	const dreaming = dreamingIn(facets);
	return (
		<>
			<ul className="figures" aria-label="How much there is">
				<Figure value={facets.total} label="Documents" address={to("documents")} />
				{containers.value?.memories != null && <Figure value={containers.value.memories} label="Memories" address={to("memories")} />}
				<Figure value={containers.value?.tags.length ?? 0} label="Containers" address={to("access")} />
				<Figure value={unfinishedIn(facets)} label="In the queue" address={withQuery(to("documents"), { state: "working" })} />
				<Figure value={failed} label="Failed" address={withQuery(to("documents"), { state: "failed" })} isBad={failed > 0} />
			</ul>
			{dreaming > 0 && <p className="hint">Memories are still being extracted from {counted(dreaming, "document")}.</p>}
			{containers.problem !== null && <Trouble problem={containers.problem} />}
		</>
	);
}

interface FigureProps {
	readonly value: number;
	readonly label: string;
	readonly address: string;
	readonly isBad?: boolean;
}

function Figure({ value, label, address, isBad = false }: FigureProps) {
	return (
		<li>
			<a href={address} className={isBad ? "figure bad" : "figure"}>
				<span className="figure-value">
					<Count value={value} />
				</span>{" "}
				<span className="figure-label">{label}</span>
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

/** @param mark changes when the list may be out of date */
function Newest({ mark }: { readonly mark: string }) {
	const { api } = useConsole();
	const body = { limit: newestCount };
	const newest = useLoad(`newest of ${mark}`, (signal) => api.ask<DocumentPage>("POST", "/v3/documents/list", body, signal));
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
