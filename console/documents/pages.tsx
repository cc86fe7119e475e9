/** The pages of a PDF or a picture as they look, the hit marked where it stands, and beside them what was read from each. */

import { useEffect, useRef, useState } from "react";
import { Button, ToggleButton } from "react-aria-components";
import { type Loaded, useLoad } from "../api/use-load.ts";
import type { Chunk, WholeDocument } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { WhenLoaded } from "../parts/messages.tsx";
import { NameChoice } from "../parts/names.tsx";
import { titleOf } from "./document-row.tsx";
import { loadPage, type PageLook } from "./load-page.ts";
import { Marked, type Words } from "./marked.tsx";

interface PagesProps {
	readonly document: WholeDocument;
	readonly chunks: readonly Chunk[];
	/** The position of the chunk that somebody came for. */
	readonly wanted: string | null;
	readonly words: Words | null;
}

/** Whether the server can draw its pages: it keeps the files that were uploaded, and those of a connection. */
export function hasPages({ type, metadata, parentId, connectionId }: WholeDocument): boolean {
	return (type === "pdf" || type === "image") && (metadata["source"] === "upload" || parentId !== null || connectionId !== null);
}

export function Pages({ document, chunks, wanted, words }: PagesProps) {
	const { api } = useConsole();
	const cameFor = chunks.find(({ position }) => String(position) === wanted) ?? null;
	const [page, setPage] = useState(cameFor === null ? 1 : pageOf(cameFor));
	const [marked, setMarked] = useState(cameFor);
	const [count, setCount] = useState(1);
	const loaded = useLoad(`${document.id} ${page}`, async (signal) => {
		const look = await loadPage(api, document.id, page, signal);
		setCount(look.pages);
		return look;
	});
	const turnTo = (next: number) => {
		setPage(next);
		setMarked(cameFor !== null && pageOf(cameFor) === next ? cameFor : null);
	};
	return (
		<div className="pages">
			<PageBar page={page} count={count} onTurn={turnTo} />
			<div className="page-columns">
				<Sheet loaded={loaded} name={`Page ${page} of ${count} of “${titleOf(document)}”`} marked={marked} />
				<section aria-labelledby="page-text">
					<h3 id="page-text">What was read on page {page}</h3>
					<PageText chunks={chunks.filter((chunk) => pageOf(chunk) === page)} marked={marked} onMark={setMarked} cameFor={cameFor} words={words} />
				</section>
			</div>
		</div>
	);
}

/** A picture that is alone in its file has no number. */
function pageOf({ place }: Chunk): number {
	return place?.page ?? 1;
}

interface PageBarProps {
	readonly page: number;
	readonly count: number;
	readonly onTurn: (page: number) => void;
}

function PageBar({ page, count, onTurn }: PageBarProps) {
	const numbers = Array.from({ length: Math.max(count, page) }, (_, i) => String(i + 1));
	return (
		<nav className="page-bar" aria-label="Pages of the document">
			<Button className="button" isDisabled={page <= 1} onPress={() => onTurn(page - 1)}>
				Previous page
			</Button>
			<NameChoice label="Page" names={numbers} value={String(page)} onChange={(number) => onTurn(Number(number))} />
			<span className="hint" role="status">
				Page {page} of {count}
			</span>
			<Button className="button" isDisabled={page >= count} onPress={() => onTurn(page + 1)}>
				Next page
			</Button>
		</nav>
	);
}

interface SheetProps {
	readonly loaded: Loaded<PageLook>;
	readonly name: string;
	readonly marked: Chunk | null;
}

function Sheet({ loaded, name, marked }: SheetProps) {
	const [isLarge, setLarge] = useState(false);
	const box = marked?.place?.box;
	return (
		<div className="sheet">
			<WhenLoaded loaded={loaded}>
				{(look) => (
					<>
						<ToggleButton className="button" isSelected={isLarge} onChange={setLarge}>
							Enlarge
						</ToggleButton>
						{/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls an enlarged page with the arrow keys */}
						<section className="sheet-window" aria-label={name} tabIndex={0}>
							<div className={isLarge ? "sheet-paper large" : "sheet-paper"}>
								<img
									width={Math.round(look.width)}
									height={Math.round(look.height)}
									src={look.picture}
									alt={box === undefined ? name : `${name}. Marked: ${marked?.content.slice(0, altCharacters)}`}
								/>
								{box !== undefined && <Mark box={box} look={look} isLarge={isLarge} />}
							</div>
						</section>
					</>
				)}
			</WhenLoaded>
		</div>
	);
}

/** As much as a person listens to before reading on in the text. */
const altCharacters = 200;

interface MarkProps {
	readonly box: readonly [number, number, number, number];
	readonly look: PageLook;
	readonly isLarge: boolean;
}

function Mark({ box: [left, top, right, bottom], look: { width, height, picture }, isLarge }: MarkProps) {
	const place = useRef<HTMLSpanElement>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: it goes back into view when the page, the box or the size changes
	useEffect(() => {
		place.current?.scrollIntoView({ block: "center", inline: "center" });
	}, [left, top, picture, isLarge]);
	const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
	return (
		<span
			ref={place}
			className="sheet-mark"
			style={{ left: percent(left, width), top: percent(top, height), width: percent(right - left, width), height: percent(bottom - top, height) }}
		/>
	);
}

interface PageTextProps {
	readonly chunks: readonly Chunk[];
	readonly marked: Chunk | null;
	readonly onMark: (chunk: Chunk) => void;
	readonly cameFor: Chunk | null;
	readonly words: Words | null;
}

function PageText({ chunks, marked, onMark, cameFor, words }: PageTextProps) {
	if (chunks.length === 0) return <p className="hint">No chunk begins on this page.</p>;
	return (
		<ol className="chunks">
			{chunks.map((chunk) => (
				<li key={chunk.id} className={chunk === cameFor ? "chunk wanted" : "chunk"}>
					<span className="hint">
						Chunk {chunk.position + 1}
						{chunk === cameFor && " · you came for this one"}
					</span>
					<p className="text">{chunk === cameFor && words !== null ? <Marked text={chunk.content} words={words} /> : chunk.content}</p>
					{chunk.place?.box !== undefined && (
						<ToggleButton
							className="button quiet"
							isSelected={chunk === marked}
							onChange={() => onMark(chunk)}
							aria-label={`Mark on the page: chunk ${chunk.position + 1}`}
						>
							Mark on the page
						</ToggleButton>
					)}
				</li>
			))}
		</ol>
	);
}
