/** One memory: its words, what can be done with it, its older versions and its evidence. */

import { useRef, useState } from "react";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import { asProblem, type Problem } from "../api/client.ts";
import { useConsole } from "../context.ts";
import { Trouble } from "../parts/messages.tsx";
import { Score, When } from "../parts/values.tsx";
import { CorrectForm } from "./correct-form.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import type { MemoryItem } from "./memory-item.ts";

export interface MemoryRowProps {
	readonly item: MemoryItem;
	readonly container: string;
	readonly onChanged: () => void;
}

export function MemoryRow({ item, container, onChanged }: MemoryRowProps) {
	const row = useRef<HTMLElement>(null);
	const [isCorrecting, setCorrecting] = useState(false);
	/** What had the focus is about to go. */
	const changed = () => {
		row.current?.focus();
		setCorrecting(false);
		onChanged();
	};
	const { text, version, isForgotten, isInference, forgetReason, updatedAt, score } = item;
	return (
		<article ref={row} tabIndex={-1} className="row" aria-label={text}>
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
				<MemoryActs item={item} container={container} onChanged={changed} correct={() => setCorrecting(true)} />
			</div>
			{isCorrecting && (
				<CorrectForm
					item={item}
					container={container}
					close={() => {
						row.current?.focus();
						setCorrecting(false);
					}}
					onChanged={changed}
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
