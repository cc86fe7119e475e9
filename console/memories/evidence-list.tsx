/** What a memory rests on: the words in their document, with some of what stands around them. */

import { useLoad } from "../api/use-load.ts";
import { useConsole } from "../context.ts";
import { WhenLoaded } from "../parts/messages.tsx";
import { wordsOfPlace } from "../parts/values.tsx";
import { to, withQuery } from "../route.ts";
import { loadEvidence, type MemoryItem, type Passage } from "./memory-item.ts";

/** Characters before and after the words. */
const aroundMax = 160;

export function EvidenceList({ item }: { readonly item: MemoryItem }) {
	const { api } = useConsole();
	const loaded = useLoad(item.id, (signal) => loadEvidence(item, api, signal));
	return (
		<div>
			<h4>Evidence</h4>
			<WhenLoaded loaded={loaded}>
				{(evidence) =>
					evidence.length === 0 ? (
						<p className="hint">It was written directly and rests on no document.</p>
					) : (
						<ul className="versions">
							{evidence.map(({ documentId, title, passages }) => (
								<li key={documentId}>
									<a href={to("documents", documentId)}>{title}</a>
									{passages.map((passage) => (
										<Words key={`${passage.chunk.id} ${passage.span[0]}`} passage={passage} documentId={documentId} title={title} />
									))}
								</li>
							))}
						</ul>
					)
				}
			</WhenLoaded>
		</div>
	);
}

interface WordsProps {
	readonly passage: Passage;
	readonly documentId: string;
	readonly title: string;
}

function Words({ passage: { chunk, span }, documentId, title }: WordsProps) {
	const [begin, end] = span;
	const { content, place } = chunk;
	const isCutBefore = begin > aroundMax;
	const isCutAfter = content.length > end + aroundMax;
	return (
		<blockquote>
			<p className="text">
				{isCutBefore && "…"}
				{content.slice(isCutBefore ? begin - aroundMax : 0, begin)}
				<mark>{content.slice(begin, end)}</mark>
				{content.slice(end, end + aroundMax)}
				{isCutAfter && "…"}
			</p>
			<span className="hint">
				{wordsOfPlace(place)}{" "}
				<a
					href={withQuery(to("documents", documentId), { chunk: String(chunk.position), words: span.join("-") })}
					aria-label={`Read on in the source “${title}”`}
				>
					Read on in the source
				</a>
			</span>
		</blockquote>
	);
}
