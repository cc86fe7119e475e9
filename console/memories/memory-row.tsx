/** One memory: its words, what can be done with it, its older versions and its evidence. */

import { useRef, useState } from "react";
import { useConsole } from "../context.ts";
import { More } from "../parts/more.tsx";
import { Score, When } from "../parts/values.tsx";
import { CorrectForm } from "./correct-form.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import { MemoryActs } from "./memory-acts.tsx";
import type { MemoryItem } from "./memory-item.ts";
import { Timeline } from "./timeline.tsx";

export interface MemoryRowProps {
	readonly item: MemoryItem;
	readonly container: string;
	readonly onChanged: () => void;
}

/** @param isPast whether it is shown as it was known on an earlier day, which nobody can change */
export function MemoryRow({ item, container, onChanged, isPast = false }: MemoryRowProps & { readonly isPast?: boolean }) {
	const { mayWrite } = useConsole();
	const row = useRef<HTMLElement>(null);
	const [isCorrecting, setCorrecting] = useState(false);
	/** What had the focus is about to go. */
	const changed = () => {
		row.current?.focus();
		setCorrecting(false);
		onChanged();
	};
	const { text, version, isForgotten, isInference, forgetReason, updatedAt, score, isLasting } = item;
	return (
		<article ref={row} tabIndex={-1} className="row" aria-label={text}>
			<div className="row-main">
				<span className={isForgotten ? "memory forgotten" : "memory"}>{text}</span>
				<span className="hint">
					version {version} · <When time={updatedAt} />
					{isLasting === true && " · lasting"}
					{isInference && " · inferred"}
					{isForgotten && ` · forgotten${forgetReason === null ? "" : `: ${forgetReason}`}`}
				</span>
			</div>
			<div className="row-side">
				{score !== null && <Score score={score} of={text} />}
				{mayWrite && !isPast && <MemoryActs item={item} container={container} onChanged={changed} correct={() => setCorrecting(true)} />}
			</div>
			{isCorrecting && (
				<CorrectForm
					id={item.id}
					text={text}
					container={container}
					close={() => {
						row.current?.focus();
						setCorrecting(false);
					}}
					onChanged={changed}
				/>
			)}
			<More label="History and evidence" about={`of “${text}”`}>
				{() => (
					<div className="background">
						<Timeline item={item} />
						<EvidenceList item={item} />
					</div>
				)}
			</More>
		</article>
	);
}
