/** What can be done with a memory: correct it, say whether it lasts, forget it, and take each back. */

import { useState } from "react";
import { Button } from "react-aria-components";
import { asProblem, type Problem } from "../api/client.ts";
import { useConsole } from "../context.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Field } from "../parts/fields.tsx";
import { Trouble } from "../parts/messages.tsx";
import type { MemoryRowProps } from "./memory-row.tsx";

export function MemoryActs({ item, container, onChanged, correct }: MemoryRowProps & { readonly correct: () => void }) {
	const { api, say } = useConsole();
	const [problem, setProblem] = useState<Problem | null>(null);
	const { id, text, isForgotten, isLasting } = item;
	const attempt = async (act: () => Promise<void>) => {
		try {
			await act();
			onChanged();
		} catch (thrown) {
			setProblem(asProblem(thrown));
		}
	};
	const bringBack = async () => {
		await api.ask("POST", "/v4/memories/restore", { containerTag: container, id });
		say({ text: `“${text}” is back.` });
	};
	const mark = (isStatic: boolean) => api.ask("PATCH", "/v4/memories", { containerTag: container, id, newContent: text, isStatic });
	const turn = async () => {
		await mark(isLasting !== true);
		const undo = async () => {
			await mark(isLasting === true);
			onChanged();
		};
		say({ text: isLasting === true ? `“${text}” counts as something passing.` : `“${text}” counts as a lasting trait.`, undo });
	};
	if (problem !== null) return <Trouble problem={problem} onRetry={() => setProblem(null)} retryWords="Close" />;
	if (isForgotten)
		return (
			<Button className="button" aria-label={`Bring back “${text}”`} onPress={() => void attempt(bringBack)}>
				Bring back
			</Button>
		);
	return (
		<>
			<Button className="button quiet" aria-label={`Correct “${text}”`} onPress={correct}>
				Correct
			</Button>
			{isLasting !== null && (
				<Button className="button quiet" aria-label={`${isLasting ? "Not lasting" : "Lasting"}: “${text}”`} onPress={() => void attempt(turn)}>
					{isLasting ? "Not lasting" : "Lasting"}
				</Button>
			)}
			<Forget id={id} text={text} container={container} onChanged={onChanged} />
		</>
	);
}

interface ForgetProps {
	readonly id: string;
	readonly text: string;
	readonly container: string;
	readonly onChanged: () => void;
}

export function Forget({ id, text, container, onChanged }: ForgetProps) {
	const { api, say } = useConsole();
	const [reason, setReason] = useState("");
	const forget = async () => {
		const why = reason.trim() === "" ? {} : { reason: reason.trim() };
		const { forgetBatchId } = await api.ask<{ readonly forgetBatchId: string }>("DELETE", "/v4/memories", { containerTag: container, id, ...why });
		const undo = async () => {
			await api.ask("POST", "/v4/memories/restore", { containerTag: container, forgetBatchId });
			onChanged();
		};
		say({ text: `“${text}” was forgotten.`, undo });
		setReason("");
		onChanged();
	};
	return (
		<Confirm
			label="Forget"
			about={`“${text}”`}
			question="Forget this memory?"
			consequence={`“${text}” is in no search from now on. Its source stays, and you can undo this right afterwards.`}
			action="Forget"
			onConfirm={forget}
		>
			<Field label="Reason" value={reason} onChange={setReason} description="Kept with the memory. You may leave it out." maxLength={1000} />
		</Confirm>
	);
}
