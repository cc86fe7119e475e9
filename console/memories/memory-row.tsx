/** One memory: its words, what can be done with it, its older versions and its evidence. */

import { useState } from "react";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import { asProblem, type Problem } from "../api/client.ts";
import { useLoad } from "../api/use-load.ts";
import { useConsole } from "../context.ts";
import { Trouble, WhenLoaded } from "../parts/messages.tsx";
import { Score, When, wordsOfPlace } from "../parts/values.tsx";
import { to, withQuery } from "../route.ts";
import { CorrectForm } from "./correct-form.tsx";
import { loadEvidence, type MemoryItem } from "./memory-item.ts";

export interface MemoryRowProps {
	readonly item: MemoryItem;
	readonly container: string;
	readonly onChanged: () => void;
}

export function MemoryRow({ item, container, onChanged }: MemoryRowProps) {
	const [isCorrecting, setCorrecting] = useState(false);
	const { text, version, isForgotten, isInference, forgetReason, updatedAt, score } = item;
	return (
		<article className="row" aria-label={text}>
			<div className="row-main">
				<span className={isForgotten ? "memory forgotten" : "memory"}>{text}</span>
				<span className="hint">
					version {version} · <When time={updatedAt} />
					{isInference && " · inferred"}
					{isForgotten && ` · forgotten${forgetReason === null ? "" : `: ${forgetReason}`}`}
				</span>
			</div>
			<div className="row-side">
				{score !== null && <Score score={score} of={text} />}
				<MemoryActs item={item} container={container} onChanged={onChanged} correct={() => setCorrecting(true)} />
			</div>
			{isCorrecting && (
				<CorrectForm
					item={item}
					container={container}
					close={() => setCorrecting(false)}
					onChanged={() => {
						setCorrecting(false);
						onChanged();
					}}
				/>
			)}
			<Background item={item} />
		</article>
	);
}

function MemoryActs({ item: { id, text, isForgotten }, container, onChanged, correct }: MemoryRowProps & { readonly correct: () => void }) {
	const { api, say, mayWrite } = useConsole();
	const [problem, setProblem] = useState<Problem | null>(null);
	if (!mayWrite) return null;
	const attempt = async (act: () => Promise<void>) => {
		try {
			await act();
			onChanged();
		} catch (thrown) {
			setProblem(asProblem(thrown));
		}
	};
	const restore = (named: object) => api.ask("POST", "/v4/memories/restore", { containerTag: container, ...named });
	const forget = async () => {
		const { forgetBatchId } = await api.ask<{ readonly forgetBatchId: string | null }>("DELETE", "/v4/memories", { containerTag: container, id });
		const undo = async () => {
			await restore(forgetBatchId === null ? { id } : { forgetBatchId });
			onChanged();
		};
		say({ text: `“${text}” was forgotten.`, undo });
	};
	const bringBack = async () => {
		await restore({ id });
		say({ text: `“${text}” is back.` });
	};
	if (problem !== null) return <Trouble problem={problem} onRetry={() => setProblem(null)} retryWords="Close" />;
	return isForgotten ? (
		<Button className="button" aria-label={`Bring back “${text}”`} onPress={() => void attempt(bringBack)}>
			Bring back
		</Button>
	) : (
		<>
			<Button className="button quiet" aria-label={`Correct “${text}”`} onPress={correct}>
				Correct
			</Button>
			<Button className="button quiet danger" aria-label={`Forget “${text}”`} onPress={() => void attempt(forget)}>
				Forget
			</Button>
		</>
	);
}

/** Loaded when it is opened, and not before. */
function Background({ item }: { readonly item: MemoryItem }) {
	const [isOpen, setOpen] = useState(false);
	return (
		<Disclosure className="disclosure" isExpanded={isOpen} onExpandedChange={setOpen}>
			<Heading level={3}>
				<Button slot="trigger" className="button quiet" aria-label={`History and evidence of “${item.text}”`}>
					<span aria-hidden="true" className="chevron" /> History and evidence
				</Button>
			</Heading>
			<DisclosurePanel>
				{isOpen && (
					<div className="background">
						<History item={item} />
						<EvidenceList item={item} />
					</div>
				)}
			</DisclosurePanel>
		</Disclosure>
	);
}

function History({ item: { older } }: { readonly item: MemoryItem }) {
	return (
		<div>
			<h4>History</h4>
			{older.length === 0 ? (
				<p className="hint">This is its first version.</p>
			) : (
				<ol className="versions">
					{older.map(({ id, version, text, time }) => (
						<li key={id}>
							{text}{" "}
							<span className="hint">
								version {version} · <When time={time} />
							</span>
						</li>
					))}
				</ol>
			)}
		</div>
	);
}

function EvidenceList({ item }: { readonly item: MemoryItem }) {
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
							{evidence.map(({ documentId, title, chunks }) => (
								<li key={documentId}>
									<a href={withQuery(to("documents", documentId), chunks[0] === undefined ? {} : { chunk: String(chunks[0].position) })}>{title}</a>
									{chunks.map(({ id, content, place }) => (
										<blockquote key={id}>
											<p className="text">{content}</p>
											<span className="hint">{wordsOfPlace(place)}</span>
										</blockquote>
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
