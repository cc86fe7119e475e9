/** What the two searches have found, each with its score. */

import type { ReactNode } from "react";
import type { Loaded } from "../api/use-load.ts";
import type { DocumentHit, DocumentResults, MemoryHit, MemoryResults } from "../api/wire.ts";
import { Empty, sentence, WhenLoaded } from "../parts/messages.tsx";
import { counted, Score, wordsOfPlace } from "../parts/values.tsx";
import { to, withQuery } from "../route.ts";

interface ColumnProps<Results> {
	readonly title: string;
	readonly loaded: Loaded<Results>;
	readonly row: (results: Results) => readonly ReactNode[];
}

interface AnyResults {
	readonly timing: number;
	readonly explanation?: { readonly why: string | null; readonly hint: string | null };
}

function Column<Results extends AnyResults>({ title, loaded, row }: ColumnProps<Results>) {
	return (
		<section className="card column" aria-label={title}>
			<WhenLoaded loaded={loaded}>
				{(results) => {
					const rows = row(results);
					return (
						<>
							<div className="card-title">
								<h2>{title}</h2>
								<span className="hint" role="status">
									{counted(rows.length, "result")} in {results.timing.toFixed(0)} ms
								</span>
							</div>
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

export function DocumentColumn({ loaded }: { readonly loaded: Loaded<DocumentResults> }) {
	return <Column title="Documents" loaded={loaded} row={({ results }) => results.map((hit) => <DocumentRow key={hit.documentId} hit={hit} />)} />;
}

function DocumentRow({ hit: { documentId, title, type, score, chunks } }: { readonly hit: DocumentHit }) {
	const name = title ?? "Untitled";
	const best = chunks.find(({ isRelevant }) => isRelevant);
	return (
		<li className="hit">
			<div className="hit-title">
				<a href={withQuery(to("documents", documentId), best === undefined ? {} : { chunk: String(best.position) })}>{name}</a>
				<Score score={score} of={name} />
			</div>
			<span className="hint">{type}</span>
			{chunks.map(({ content, position, place, score: chunkScore, isRelevant }) => (
				<div key={position} className={isRelevant ? "passage" : "passage around"}>
					<span className="hint">
						{[`chunk ${position + 1}`, wordsOfPlace(place), isRelevant ? chunkScore.toFixed(2) : "beside a match"].filter(Boolean).join(" · ")}
					</span>
					<p className="text">{content}</p>
				</div>
			))}
		</li>
	);
}

export function MemoryColumn({ loaded }: { readonly loaded: Loaded<MemoryResults> }) {
	return <Column title="Memories" loaded={loaded} row={({ results }) => results.map((hit) => <MemoryRow key={hit.id} hit={hit} />)} />;
}

function MemoryRow({ hit: { memory, similarity, version, isInference, documents = [], context } }: { readonly hit: MemoryHit }) {
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
			{replaced.map(({ id, memory: before }) => (
				<p key={id} className="hint">
					It replaced: {before}
				</p>
			))}
		</li>
	);
}
