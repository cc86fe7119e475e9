/** All documents: adding, and the list by state and container. */

import { useState } from "react";
import { Button } from "react-aria-components";
import { AddPanel } from "../adding/add-panel.tsx";
import { UploadList } from "../adding/upload-list.tsx";
import { useReloadAfterUploads } from "../adding/use-reload-after-uploads.ts";
import { useContainers } from "../api/use-containers.ts";
import { useLoad } from "../api/use-load.ts";
import type { DocumentPage as Page } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { DocumentRow } from "../documents/document-row.tsx";
import { listedStates, workingStates } from "../documents/states.ts";
import { PageTitle } from "../frame.tsx";
import { Choice } from "../parts/fields.tsx";
import { Empty, WhenLoaded } from "../parts/messages.tsx";
import { NameChoice } from "../parts/names.tsx";
import { counted } from "../parts/values.tsx";
import { go, to, withQuery } from "../route.ts";

const pageSize = 20;
const lookMs = 2_000;

interface DocumentsProps {
	readonly container: string;
	readonly state: string;
}

export function DocumentsPage({ container, state }: DocumentsProps) {
	const { mayWrite } = useConsole();
	const containers = useContainers();
	const tags = containers.value?.tags ?? [];
	const filterBy = (query: DocumentsProps) => go(withQuery(to("documents"), { container: query.container, state: query.state }));
	return (
		<>
			<PageTitle>Documents</PageTitle>
			{mayWrite && (
				<section className="card" aria-labelledby="add">
					<div className="card-title">
						<h2 id="add">Add documents</h2>
					</div>
					<AddPanel containers={tags} container={container} />
				</section>
			)}
			<UploadList />
			<section className="card" aria-labelledby="list">
				<div className="card-title">
					<h2 id="list">Stored documents</h2>
					<div className="filters">
						<Choice label="State" options={listedStates} value={state} onChange={(chosen) => filterBy({ container, state: chosen })} />
						<NameChoice
							label="In container"
							all="All containers"
							names={tags}
							value={container}
							onChange={(chosen) => filterBy({ container: chosen, state })}
						/>
					</div>
				</div>
				<DocumentList key={`${container} ${state}`} container={container} state={state} />
			</section>
		</>
	);
}

function pauseOf({ memories }: Page): number | null {
	return memories.some(({ status }) => workingStates.includes(status)) ? lookMs : null;
}

function DocumentList({ container, state }: DocumentsProps) {
	const { api } = useConsole();
	/** Of the pages before this one; the first has none. */
	const [cursors, setCursors] = useState<readonly string[]>([]);
	const cursor = cursors.at(-1);
	const status = state === "working" ? workingStates : state;
	const body = {
		limit: pageSize,
		...(cursor === undefined ? {} : { cursor }),
		...(container === "" ? {} : { containerTags: [container] }),
		...(status === "" ? {} : { status }),
	};
	const page = useLoad(JSON.stringify(body), (signal) => api.ask<Page>("POST", "/v3/documents/list", body, signal), pauseOf);
	useReloadAfterUploads(page.reload);
	return (
		<WhenLoaded loaded={page}>
			{({ memories, pagination, nextCursor }) =>
				memories.length === 0 && cursors.length === 0 ? (
					<Empty title={state === "" && container === "" ? "Nothing is stored yet." : "No document is in this state and container."} />
				) : (
					<>
						<ul className="rows">
							{memories.map((document) => (
								<li key={document.id}>
									<DocumentRow document={document} onChanged={page.reload} />
								</li>
							))}
						</ul>
						<nav className="pager" aria-label="Pages of the list">
							<Button className="button" isDisabled={cursors.length === 0} onPress={() => setCursors(cursors.slice(0, -1))}>
								Newer
							</Button>
							<span className="hint">
								Page {cursors.length + 1} · {counted(pagination.totalItems, "document")}
							</span>
							<Button className="button" isDisabled={nextCursor === null} onPress={() => nextCursor !== null && setCursors([...cursors, nextCursor])}>
								Older
							</Button>
						</nav>
					</>
				)
			}
		</WhenLoaded>
	);
}
