/** What the two searches have found, each with its score. */

import type { ReactNode } from "react";
import type { Loaded } from "../api/use-load.ts";
import type { DocumentHit, DocumentResults, MemoryHit, MemoryResults, PassageHit } from "../api/wire.ts";
import { Empty, sentence, WhenLoaded } from "../parts/messages.tsx";
import { counted, Score, wordsOfPlace } from "../parts/values.tsx";
import { to, withQuery } from "../route.ts";
import { WhyThisScore } from "./score-parts.tsx";

interface ColumnProps<Results> {
	readonly title: string;
	readonly loaded: Loaded<Results>;
	readonly row: (results: Results) => readonly ReactNode[];
	/** What is to be said about all of them. */
	readonly remark?: (results: Results) => string | null;
}

interface AnyResults {
	readonly timing: number;
	readonly explanation?: { readonly why: string | null; readonly hint: string | null };
}

function Column<Results extends AnyResults>({ title, loaded, row, remark = () => null }: ColumnProps<Results>) {
	return (
		<section className="card column" aria-label={title}>
			<WhenLoaded loaded={loaded}>
				{(results) => {
					const rows = row(results);
					const said = remark(results);
					return (
						<>
							<div className="card-title">
								<h2>{title}</h2>
								<span className="hint" role="status">
									{counted(rows.length, "result")} in {results.timing.toFixed(0)} ms
								</span>
							</div>
							{said !== null && <p className="hint">{said}</p>}
							{rows.length === 0 ? <Nothing results={results} /> : <ol className="rows">{rows}</ol>}
						</>
					);
				}}
			</WhenLoaded>
		</section>
	);
}

/** The server knows why it found so little. */
function Nothing({ results: { explanation } }: { readonly results: AnyResults }) {
	const words = [explanation?.why, explanation?.hint].filter((text) => text != null && text !== "").map((text) => sentence(text ?? ""));
	return <Empty title="Nothing was found.">{words.length > 0 && <p>{words.join(" ")}</p>}</Empty>;
}

interface HitsProps<Results> {
	readonly title: string;
	readonly loaded: Loaded<Results>;
	/** The ids that other settings have found, in their order; absent where nothing is compared. */
	readonly before?: readonly string[] | undefined;
}

/** Where a hit was with the other settings. */
function Moved({ id, place, before }: { readonly id: string; readonly place: number; readonly before: readonly string[] | undefined }) {
	if (before === undefined) return null;
	const at = before.indexOf(id);
	const words = at === place ? "same place" : at < 0 ? "not found with the first settings" : `place ${at + 1} with the first settings`;
	return <span className={at === place ? "hint" : "moved"}>{words}</span>;
}

export function DocumentColumn({ title, loaded, before }: HitsProps<DocumentResults>) {
	const row = (hit: DocumentHit, place: number) => (
		<DocumentRow key={hit.documentId} hit={hit} moved={<Moved id={hit.documentId} place={place} before={before} />} />
	);
	return <Column title={title} loaded={loaded} row={({ results }) => results.map(row)} remark={whetherAnswered} />;
}

function whetherAnswered({ results }: DocumentResults): string | null {
	const isAnswered = results.some(({ chunks }) => chunks.some(({ isRelevant }) => isRelevant));
	return results.length === 0 || isAnswered ? null : "Nothing seems to answer this. These are the nearest.";
}

function DocumentRow({ hit, moved }: { readonly hit: DocumentHit; readonly moved: ReactNode }) {
	const { documentId, title, type, score, chunks, scoreParts = null } = hit;
	const name = title ?? "Untitled";
	// A chunk beside another that was found has no score of its own.
	const isFound = ({ score: own }: DocumentHit["chunks"][number]) => own > 0;
	const best = chunks.find(isFound);
	return (
		<li className="hit">
			<div className="hit-title">
				<a href={withQuery(to("documents", documentId), best === undefined ? {} : { chunk: String(best.position) })}>{name}</a>
				<Score score={score} of={name} />
			</div>
			<span className="hint">{type}</span>
			{moved}
			{chunks.map((chunk) => (
				<div key={chunk.position} className={isFound(chunk) ? "passage" : "passage around"}>
					<span className="hint">
						{[`chunk ${chunk.position + 1}`, wordsOfPlace(chunk.place), isFound(chunk) ? chunk.score.toFixed(2) : "beside a match"].filter(Boolean).join(" · ")}
					</span>
					<p className="text">{chunk.content}</p>
				</div>
			))}
			<WhyThisScore parts={scoreParts} of={name} />
		</li>
	);
}

export function MemoryColumn({ title, loaded, before }: HitsProps<MemoryResults<MemoryHit | PassageHit>>) {
	const row = (hit: MemoryHit | PassageHit, place: number) => {
		const moved = <Moved id={hit.id} place={place} before={before} />;
		return "memory" in hit ? <MemoryRow key={hit.id} hit={hit} moved={moved} /> : <PassageRow key={hit.id} hit={hit} moved={moved} />;
	};
	return <Column title={title} loaded={loaded} row={({ results }) => results.map(row)} />;
}

function MemoryRow({ hit, moved }: { readonly hit: MemoryHit; readonly moved: ReactNode }) {
	const { memory, similarity, version, isInference, documents = [], context, scoreParts = null } = hit;
	const replaced = context?.parents.filter(({ relation }) => relation === "updates") ?? [];
	return (
		<li className="hit">
			<div className="hit-title">
				<span className="memory">{memory}</span>
				<Score score={similarity} of={memory} />
			</div>
			<span className="hint">
				version {version}
				{isInference && " · inferred"}
				{documents.map(({ id, title }) => (
					<span key={id}>
						{" "}
						· from <a href={to("documents", id)}>{title ?? "an untitled document"}</a>
					</span>
				))}
			</span>
			{moved}
			{replaced.map(({ id, memory: before }) => (
				<p key={id} className="hint">
					It replaced: {before}
				</p>
			))}
			<WhyThisScore parts={scoreParts} of={memory} />
		</li>
	);
}

function PassageRow({ hit, moved }: { readonly hit: PassageHit; readonly moved: ReactNode }) {
	const { chunk, similarity, place, title, documents = [], scoreParts = null } = hit;
	const name = title ?? "Untitled";
	return (
		<li className="hit">
			<div className="hit-title">
				{documents.length === 0
					? name
					: documents.map(({ id }) => (
							<a key={id} href={to("documents", id)}>
								{name}
							</a>
						))}
				<Score score={similarity} of={name} />
			</div>
			<span className="hint">{["a passage", wordsOfPlace(place)].filter(Boolean).join(" · ")}</span>
			{moved}
			<p className="text">{chunk}</p>
			<WhyThisScore parts={scoreParts} of={name} />
		</li>
	);
}
