/** The first page: how much there is, what is being worked on, what has failed, and what to do first. */

import { AddPanel } from "../adding/add-panel.tsx";
import { UploadList } from "../adding/upload-list.tsx";
import { useReloadAfterUploads } from "../adding/use-reload-after-uploads.ts";
import { type Containers, useContainers } from "../api/use-containers.ts";
import { type Loaded, useLoad } from "../api/use-load.ts";
import type { DocumentPage, ServerState } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { titleOf } from "../documents/document-row.tsx";
import { workingStates } from "../documents/states.ts";
import { PageTitle } from "../frame.tsx";
import { Trouble, WhenLoaded } from "../parts/messages.tsx";
import { Count, When, wordsOfBytes } from "../parts/values.tsx";
import { to, withQuery } from "../route.ts";

/** Quick enough to see the queue move; slow where nothing moves, since counting costs. */
const busyMs = 2_000;
const idleMs = 20_000;
const newestCount = 6;

interface Counts {
	readonly newest: DocumentPage;
	readonly working: number;
	readonly failed: number;
}

export function HomePage() {
	const { mayWrite } = useConsole();
	const counts = useCounts();
	const containers = useContainers(counts.value === null ? null : pauseOf(counts.value));
	const isEmpty = counts.value !== null && counts.value.newest.memories.length === 0;
	return (
		<>
			<PageTitle>Home</PageTitle>
			<Figures counts={counts.value} containers={containers} />
			<UploadList />
			{isEmpty && mayWrite && <FirstSteps containers={containers} />}
			{isEmpty && !mayWrite && <p>Nothing is stored yet, and this key may only read. Sign in with a key that may write to add documents.</p>}
			{!isEmpty && <Newest counts={counts} />}
		</>
	);
}

/** Three lists, each of which says how many there are: to count by every property would take the server much longer. */
function useCounts(): Loaded<Counts> {
	const { api } = useConsole();
	const counts = useLoad(
		"counts",
		async (signal) => {
			const list = (body: object) => api.ask<DocumentPage>("POST", "/v3/documents/list", body, signal);
			const [newest, working, failed] = await Promise.all([
				list({ limit: newestCount }),
				list({ limit: 1, status: workingStates }),
				list({ limit: 1, status: "failed" }),
			]);
			return { newest, working: working.pagination.totalItems, failed: failed.pagination.totalItems };
		},
		pauseOf,
	);
	useReloadAfterUploads(counts.reload);
	return counts;
}

function pauseOf(counts: Counts): number {
	return counts.working > 0 || isDreaming(counts) ? busyMs : idleMs;
}

/** Memories are extracted in the order in which documents came, so those of the newest come last. */
function isDreaming({ newest }: Counts): boolean {
	return newest.memories.some(({ status, dreamingStatus }) => status === "done" && dreamingStatus === "dreaming");
}

/** Each has its place from the beginning, so that nothing moves when the numbers come. */
function Figures({ counts, containers }: { readonly counts: Counts | null; readonly containers: Loaded<Containers> }) {
	const { session, mayOperate } = useConsole();
	const { value, problem } = containers;
	const failed = counts?.failed ?? 0;
	return (
		<>
			<ul className="figures" aria-label="How much there is" aria-busy={counts === null}>
				<Figure value={counts?.newest.pagination.totalItems} label="Documents" address={to("documents")} />
				{session.containerTags === null && <Figure value={value?.memories ?? undefined} label="Memories" address={to("memories")} />}
				<Figure value={value?.tags.length} label="Containers" address={to("access")} />
				<Figure value={counts?.working} label="In the queue" address={withQuery(to("documents"), { state: "working" })} />
				<Figure value={counts?.failed} label="Failed" address={withQuery(to("documents"), { state: "failed" })} isBad={failed > 0} />
				{mayOperate && <StorageFigure />}
			</ul>
			{counts !== null && isDreaming(counts) && <p className="hint">Memories of the newest documents are still being extracted.</p>}
			{problem !== null && <Trouble problem={problem} />}
		</>
	);
}

/** The database and the original files. It is asked for once: it changes slowly. */
function StorageFigure() {
	const { api } = useConsole();
	const { value } = useLoad("storage", (signal) => api.ask<ServerState>("GET", "/v3/server", undefined, signal));
	const { databaseBytes = null, fileBytes = null } = value?.storage ?? {};
	if (value !== null && databaseBytes === null) return null;
	return (
		<Figure
			value={databaseBytes === null ? undefined : wordsOfBytes(databaseBytes + (fileBytes ?? 0))}
			label="Stored"
			address={to("organisation", "backups")}
		/>
	);
}

interface FigureProps {
	/** Missing until it is known. */
	readonly value: number | string | undefined;
	readonly label: string;
	readonly address: string;
	readonly isBad?: boolean;
}

function Figure({ value, label, address, isBad = false }: FigureProps) {
	return (
		<li>
			<a href={address} className={isBad ? "figure bad" : "figure"}>
				<span className="figure-value">{typeof value === "number" ? <Count value={value} /> : (value ?? "…")}</span>{" "}
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

function Newest({ counts }: { readonly counts: Loaded<Counts> }) {
	return (
		<section className="card" aria-labelledby="newest">
			<div className="card-title">
				<h2 id="newest">Newest documents</h2>
				<a href={to("documents")}>All documents</a>
			</div>
			<WhenLoaded loaded={counts}>
				{({ newest: { memories } }) => (
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
