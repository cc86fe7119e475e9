/** One document: its text, its chunks, its memories, and the way to the original. */

import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import { Problem } from "../api/client.ts";
import { type Loaded, useLoad } from "../api/use-load.ts";
import type { WholeDocument } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Contents } from "../documents/contents.tsx";
import { DeleteDocument } from "../documents/delete-document.tsx";
import { titleOf } from "../documents/document-row.tsx";
import { EditDocument } from "../documents/edit-document.tsx";
import { Failure } from "../documents/failure.tsx";
import type { Words } from "../documents/marked.tsx";
import { PageTitle } from "../frame.tsx";
import { Trouble, WhenLoaded } from "../parts/messages.tsx";
import { More } from "../parts/more.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { counted, State, When } from "../parts/values.tsx";
import { go, to, withQuery } from "../route.ts";

const lookMs = 2_000;

interface DocumentProps {
	readonly id: string;
	/** The position of a chunk that is looked for, from a search. */
	readonly chunk: string | null;
	/** `10-42`: the words of that chunk that a memory rests on. */
	readonly words: string | null;
}

export function DocumentPage({ id, chunk, words }: DocumentProps) {
	const { api, mayWrite } = useConsole();
	const loaded = useLoad(id, (signal) => api.ask<WholeDocument>("GET", `/v3/documents/${encodeURIComponent(id)}`, undefined, signal), pauseOf);
	const { value } = loaded;
	return (
		<>
			<p>
				<a href={to("documents")}>All documents</a>
			</p>
			<PageTitle>{value === null ? "Document" : titleOf(value)}</PageTitle>
			<WhenLoaded loaded={withRemedy(loaded)}>
				{(document) => (
					<>
						<Facts document={document} />
						<Acts document={document} onChanged={loaded.reload} />
						{mayWrite && (
							<More label="Edit title and metadata" about={`of “${titleOf(document)}”`} level={2}>
								{() => <EditDocument document={document} onChanged={loaded.reload} />}
							</More>
						)}
						{document.status === "failed" && <Failure document={document} onChanged={loaded.reload} />}
						<Contents document={document} chunk={chunk} words={readWords(words)} />
					</>
				)}
			</WhenLoaded>
		</>
	);
}

/** The server does not know how somebody came to ask for it. */
function withRemedy(loaded: Loaded<WholeDocument>): Loaded<WholeDocument> {
	const { problem } = loaded;
	if (problem?.status !== 404) return loaded;
	return { ...loaded, problem: new Problem(problem.status, problem.code, problem.message, "It may have been deleted, or this key may not see it.") };
}

function readWords(words: string | null): Words | null {
	const [, begin, end] = words?.match(/^(\d+)-(\d+)$/) ?? [];
	return begin === undefined ? null : [Number(begin), Number(end)];
}

function pauseOf({ status, dreamingStatus }: WholeDocument): number | null {
	return status === "failed" || (status === "done" && dreamingStatus === "done") ? null : lookMs;
}

function Facts({
	document: { status, type, containerTags, createdAt, dreamingStatus, filepath, url, remarks, parentId, members },
}: {
	readonly document: WholeDocument;
}) {
	return (
		<>
			<dl className="facts">
				<Fact name="State">
					<State state={status} />
				</Fact>
				<Fact name="Kind">{type}</Fact>
				<Fact name={containerTags.length === 1 ? "Container" : "Containers"}>
					{containerTags.map((tag) => (
						<a key={tag} href={withQuery(to("documents"), { container: tag })}>
							{tag}
						</a>
					))}
				</Fact>
				<Fact name="Added">
					<When time={createdAt} />
				</Fact>
				{filepath !== null && <Fact name="Path">{filepath}</Fact>}
				{status === "done" && dreamingStatus !== "done" && <Fact name="Memories">being extracted</Fact>}
				{parentId !== null && (
					<Fact name="Found inside">
						<a href={to("documents", parentId)}>another document</a>
					</Fact>
				)}
				{members.total > 0 && <Fact name="Inside of it">{counted(members.total, "document")}</Fact>}
				{url !== null && (
					<Fact name="Address">
						<a href={/^https?:/.test(url) ? url : "#/"} rel="noreferrer noopener" target="_blank">
							{url}
						</a>
					</Fact>
				)}
			</dl>
			{remarks.length > 0 && (
				<ul className="remarks">
					{remarks.map(({ code, message }) => (
						<li key={`${code} ${message}`}>{message}</li>
					))}
				</ul>
			)}
		</>
	);
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>{children}</dd>
		</div>
	);
}

function Acts({ document, onChanged }: { readonly document: WholeDocument; readonly onChanged: () => void }) {
	const { api, mayWrite, say } = useConsole();
	const { problem, attempt } = useAttempt();
	const path = `/v3/documents/${encodeURIComponent(document.id)}`;
	const isFile = document.metadata["source"] === "upload" || document.parentId !== null;
	const open = async () => {
		const { url } = await api.ask<{ readonly url: string }>("GET", `${path}/file-url`);
		// The server answers it as a download, so this page stays.
		location.assign(new URL(new URL(url).pathname + new URL(url).search, location.origin));
	};
	const readAgain = async () => {
		await api.ask("POST", `${path}/reprocess`);
		say({ text: `“${titleOf(document)}” is being read again.` });
		onChanged();
	};
	return (
		<>
			<div className="actions">
				{isFile && (
					<Button className="button" onPress={() => attempt(open)}>
						Download the original
					</Button>
				)}
				{mayWrite && document.status === "done" && (
					<Button className="button" onPress={() => attempt(readAgain)}>
						Read again
					</Button>
				)}
				{mayWrite && (
					<DeleteDocument
						id={document.id}
						title={titleOf(document)}
						onDeleted={() => go(to("documents"))}
						onRestored={() => go(to("documents", document.id))}
					/>
				)}
			</div>
			{problem !== null && <Trouble problem={problem} />}
		</>
	);
}
