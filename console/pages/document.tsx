/** One document: its text, its chunks, its memories, and the way to the original. */

import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { asProblem, type Problem } from "../api/client.ts";
import { useLoad } from "../api/use-load.ts";
import type { WholeDocument } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Contents, type Words } from "../documents/contents.tsx";
import { DeleteDocument } from "../documents/delete-document.tsx";
import { titleOf } from "../documents/document-row.tsx";
import { Failure } from "../documents/failure.tsx";
import { PageTitle } from "../frame.tsx";
import { Trouble, WhenLoaded } from "../parts/messages.tsx";
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
	const { api } = useConsole();
	const loaded = useLoad(id, (signal) => api.ask<WholeDocument>("GET", `/v3/documents/${encodeURIComponent(id)}`, undefined, signal), pauseOf);
	const { value } = loaded;
	return (
		<>
			<p>
				<a href={to("documents")}>All documents</a>
			</p>
			<PageTitle>{value === null ? "Document" : titleOf(value)}</PageTitle>
			<WhenLoaded loaded={loaded}>
				{(document) => (
					<>
						<Facts document={document} />
						<Acts document={document} />
						{document.status === "failed" && <Failure document={document} onChanged={loaded.reload} />}
						<Contents document={document} chunk={chunk} words={readWords(words)} />
					</>
				)}
			</WhenLoaded>
		</>
	);
}

function readWords(words: string | null): Words | null {
	const [, begin, end] = words?.match(/^(\d+)-(\d+)$/) ?? [];
	return begin === undefined ? null : [Number(begin), Number(end)];
}

function pauseOf({ status, dreamingStatus }: WholeDocument): number | null {
	return status === "failed" || (status === "done" && dreamingStatus === "done") ? null : lookMs;
}

function Facts({
	document: { status, type, containerTags, createdAt, dreamingStatus, url, remarks, parentId, members },
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

function Acts({ document }: { readonly document: WholeDocument }) {
	const { api, mayWrite } = useConsole();
	const [problem, setProblem] = useState<Problem | null>(null);
	const isFile = document.metadata["source"] === "upload" || document.parentId !== null;
	const open = async () => {
		try {
			const { url } = await api.ask<{ readonly url: string }>("GET", `/v3/documents/${encodeURIComponent(document.id)}/file-url`);
			// The server answers it as a download, so this page stays.
			location.assign(new URL(new URL(url).pathname + new URL(url).search, location.origin));
		} catch (thrown) {
			setProblem(asProblem(thrown));
		}
	};
	return (
		<>
			<div className="actions">
				{isFile && (
					<Button className="button" onPress={() => void open()}>
						Download the original
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
