/** Forgets several memories at once: finds what matches some words, and forgets those that stay ticked. */

import { useState } from "react";
import { Button, Form } from "react-aria-components";
import type { CandidateMemories, MatchingMemories } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Field, Tick } from "../parts/fields.tsx";
import { Empty, Trouble } from "../parts/messages.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { counted } from "../parts/values.tsx";

interface ForgetMatchingProps {
	readonly container: string;
	readonly onChanged: () => void;
}

export function ForgetMatching({ container, onChanged }: ForgetMatchingProps) {
	const { api } = useConsole();
	const [query, setQuery] = useState("");
	const [matches, setMatches] = useState<CandidateMemories["candidates"] | null>(null);
	const { problem, isActing, attempt } = useAttempt();
	const look = async () => {
		const body = { containerTag: container, query: query.trim(), dryRun: true };
		const { candidates } = await api.ask<CandidateMemories>("POST", "/v4/memories/forget-matching", body);
		setMatches(candidates);
	};
	const forgotten = () => {
		setMatches(null);
		setQuery("");
		onChanged();
	};
	return (
		<>
			<Form
				onSubmit={(event) => {
					event.preventDefault();
					if (query.trim() !== "") attempt(look);
				}}
			>
				<Field
					label="What to forget"
					value={query}
					onChange={setQuery}
					maxLength={2_000}
					description="In words. What matches is shown before anything is forgotten."
				/>
				<div className="actions">
					<Button type="submit" className="button" isDisabled={isActing || query.trim() === ""}>
						Show what matches
					</Button>
				</div>
			</Form>
			{problem !== null && <Trouble problem={problem} />}
			{matches?.length === 0 && <Empty title="No memory of this container matches." />}
			{matches !== null && matches.length > 0 && (
				<Matches key={matches.map(({ id }) => id).join(" ")} matches={matches} container={container} onChanged={onChanged} onForgotten={forgotten} />
			)}
		</>
	);
}

interface MatchesProps extends ForgetMatchingProps {
	readonly matches: CandidateMemories["candidates"];
	readonly onForgotten: () => void;
}

function Matches({ matches, container, onChanged, onForgotten }: MatchesProps) {
	const { api, say } = useConsole();
	const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
	const [reason, setReason] = useState("");
	const ids = matches.map(({ id }) => id).filter((id) => !kept.has(id));
	const what = counted(ids.length, "memory", "memories");
	const turn = (id: string, isTicked: boolean) => setKept(new Set(isTicked ? [...kept].filter((other) => other !== id) : [...kept, id]));
	const forget = async () => {
		const why = reason.trim() === "" ? {} : { reason: reason.trim() };
		const { forgetBatchId } = await api.ask<MatchingMemories>("POST", "/v4/memories/forget-matching", { containerTag: container, ids, ...why });
		const undo = async () => {
			await api.ask("POST", "/v4/memories/restore", { containerTag: container, forgetBatchId });
			onChanged();
		};
		say({ text: `${what} forgotten.`, undo });
		onForgotten();
	};
	return (
		<>
			<ul className="rows" aria-label="What matches">
				{matches.map(({ id, memory }) => (
					<li key={id} className="row plain memory">
						<Tick isSelected={!kept.has(id)} onChange={(isTicked) => turn(id, isTicked)}>
							{memory}
						</Tick>
					</li>
				))}
			</ul>
			<div className="actions">
				{ids.length === 0 ? (
					<p className="hint">Nothing is ticked, so nothing would be forgotten.</p>
				) : (
					<Confirm
						label={`Forget ${what}`}
						question={`Forget ${what}?`}
						consequence="They are in no search from now on. Their sources stay, and you can undo this right afterwards."
						action="Forget"
						onConfirm={forget}
					>
						<Field label="Reason" value={reason} onChange={setReason} description="Kept with the memories. You may leave it out." maxLength={1000} />
					</Confirm>
				)}
			</div>
		</>
	);
}
