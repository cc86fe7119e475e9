/** What there is of a document: its text, its chunks, its memories. */

import { useEffect, useRef, useState } from "react";
import { Button, Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { useLoad } from "../api/use-load.ts";
import type { Chunk, MemoryOfDocument, WholeDocument } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Empty, WhenLoaded } from "../parts/messages.tsx";
import { wordsOfPlace } from "../parts/values.tsx";
import { to, withQuery } from "../route.ts";
import { Marked, type Words } from "./marked.tsx";
import { hasPages, Pages } from "./pages.tsx";

/** A browser draws so much at once without a pause. */
const charactersShown = 100_000;
const chunksShown = 200;

interface ContentsProps {
	readonly document: WholeDocument;
	readonly chunk: string | null;
	/** Where the words begin and end that somebody came for, in that chunk. */
	readonly words: Words | null;
}

export function Contents({ document, chunk, words }: ContentsProps) {
	const isDrawn = hasPages(document);
	const memories = (document.memories ?? []).filter(({ isLatest }) => isLatest);
	return (
		<Tabs className="card" defaultSelectedKey={chunk === null ? "text" : isDrawn ? "pages" : "chunks"}>
			<TabList aria-label="What there is of the document" className="tabs">
				<Tab id="text">Text</Tab>
				{isDrawn && <Tab id="pages">Pages</Tab>}
				<Tab id="chunks">Chunks</Tab>
				<Tab id="memories">Memories ({memories.length})</Tab>
			</TabList>
			<TabPanel id="text">
				<WholeText text={document.content ?? ""} />
			</TabPanel>
			{isDrawn && (
				<TabPanel id="pages">
					<DrawnPages key={chunk} document={document} wanted={chunk} words={words} />
				</TabPanel>
			)}
			<TabPanel id="chunks">
				<Chunks document={document} wanted={chunk} words={words} />
			</TabPanel>
			<TabPanel id="memories">
				<MemoriesOf memories={memories} container={document.containerTags[0] ?? ""} />
			</TabPanel>
		</Tabs>
	);
}

function WholeText({ text }: { readonly text: string }) {
	const [isWhole, setWhole] = useState(false);
	if (text === "") return <Empty title="No text has been read yet." />;
	return (
		<>
			<pre className="text">{isWhole ? text : text.slice(0, charactersShown)}</pre>
			{!isWhole && text.length > charactersShown && (
				<Button className="button" onPress={() => setWhole(true)}>
					Show the rest
				</Button>
			)}
		</>
	);
}

function useChunks({ id, status }: WholeDocument) {
	const { api } = useConsole();
	return useLoad(`${id} ${status}`, (signal) =>
		api.ask<{ readonly chunks: readonly Chunk[] }>("GET", `/v3/documents/${encodeURIComponent(id)}/chunks`, undefined, signal),
	);
}

interface ChunksProps {
	readonly document: WholeDocument;
	readonly wanted: string | null;
	readonly words: Words | null;
}

function DrawnPages({ document, wanted, words }: ChunksProps) {
	return <WhenLoaded loaded={useChunks(document)}>{({ chunks }) => <Pages document={document} chunks={chunks} wanted={wanted} words={words} />}</WhenLoaded>;
}

function Chunks({ document, wanted, words }: ChunksProps) {
	const loaded = useChunks(document);
	const [shown, setShown] = useState(Math.max(chunksShown, Number(wanted ?? 0) + 1));
	return (
		<WhenLoaded loaded={loaded}>
			{({ chunks }) =>
				chunks.length === 0 ? (
					<Empty title="It has not been split into chunks yet." />
				) : (
					<>
						<ol className="chunks">
							{chunks.slice(0, shown).map((chunk) => (
								<ChunkRow key={chunk.id} chunk={chunk} isWanted={String(chunk.position) === wanted} words={words} />
							))}
						</ol>
						{chunks.length > shown && (
							<Button className="button" onPress={() => setShown(shown + chunksShown)}>
								Show more chunks
							</Button>
						)}
					</>
				)
			}
		</WhenLoaded>
	);
}

interface ChunkRowProps {
	readonly chunk: Chunk;
	readonly isWanted: boolean;
	readonly words: Words | null;
}

function ChunkRow({ chunk: { position, place, content }, isWanted, words }: ChunkRowProps) {
	const row = useRef<HTMLLIElement>(null);
	useEffect(() => {
		if (isWanted) row.current?.scrollIntoView({ block: "center" });
	}, [isWanted]);
	return (
		<li ref={row} className={isWanted ? "chunk wanted" : "chunk"}>
			<span className="hint">
				{[`Chunk ${position + 1}`, wordsOfPlace(place)].filter(Boolean).join(", ")}
				{isWanted && " · you came for this one"}
			</span>
			<p className="text">{isWanted && words !== null ? <Marked text={content} words={words} /> : content}</p>
		</li>
	);
}

function MemoriesOf({ memories, container }: { readonly memories: readonly MemoryOfDocument[]; readonly container: string }) {
	if (memories.length === 0) return <Empty title="No memories rest on this document." />;
	return (
		<>
			<ul className="rows">
				{memories.map(({ id, memory, version, isForgotten }) => (
					<li key={id} className="row plain">
						<span className={isForgotten ? "forgotten" : ""}>{memory}</span>
						<span className="hint">
							version {version}
							{isForgotten && " · forgotten"}
						</span>
					</li>
				))}
			</ul>
			<p>
				<a href={withQuery(to("memories"), { container })}>Correct or forget them</a>
			</p>
		</>
	);
}
