/** A chat with a language model that is given what is known: each answer stands with the memories that its model was given from. */

import { useEffect, useRef, useState } from "react";
import { Button, Form } from "react-aria-components";
import { useContainers } from "../api/use-containers.ts";
import { useLoad } from "../api/use-load.ts";
import { type Known, readKnown, streamAnswer, type Turn } from "../chat/stream-answer.ts";
import { useConsole } from "../context.ts";
import { PageTitle } from "../frame.tsx";
import { EvidenceList } from "../memories/evidence-list.tsx";
import { Choice, Field } from "../parts/fields.tsx";
import { Trouble } from "../parts/messages.tsx";
import { More } from "../parts/more.tsx";
import { NameField } from "../parts/names.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { counted } from "../parts/values.tsx";

interface Exchange {
	readonly question: string;
	readonly answer: string;
	/** Null until it is known whether the model was given anything. */
	readonly known: Known | null;
}

export function ChatPage() {
	const { api } = useConsole();
	const containers = useContainers();
	const models = useLoad("models", (signal) => api.ask<{ readonly data: readonly { readonly id: string }[] }>("GET", "/v1/models", undefined, signal));
	const [asking, setAsking] = useState({ container: "", model: "", question: "" });
	const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
	const [conversation, setConversation] = useState(newName);
	const { problem, isActing, attempt } = useAttempt();
	const leaving = useRef(new AbortController());
	useEffect(() => {
		leaving.current = new AbortController();
		return () => leaving.current.abort();
	}, []);
	const names = models.value?.data.map(({ id }) => id) ?? [];
	const tags = containers.value?.tags ?? [];
	const container = asking.container.trim() || (tags[0] ?? "");
	const model = asking.model.trim() || (names[0] ?? "");
	const question = asking.question.trim();
	const ask = async () => {
		// An answer that broke off is no part of the conversation: the router does not remember it either.
		const before = exchanges.filter(({ known }) => known !== null);
		const turns: readonly Turn[] = before.flatMap((one) => [
			{ role: "user" as const, content: one.question },
			{ role: "assistant" as const, content: one.answer },
		]);
		const { signal } = leaving.current;
		const known = await readKnown(api, container, question, signal);
		const show = (answer: string, given: Known | null) => setExchanges([...before, { question, answer, known: given }]);
		let latest = "";
		const isGiven = await streamAnswer(
			api,
			{ container, conversation, model, turns: [...turns, { role: "user", content: question }] },
			(text) => {
				latest = text;
				show(text, null);
			},
			signal,
		);
		show(latest, isGiven ? known : { matching: [], lasting: [], recent: [] });
		setAsking({ ...asking, question: "" });
	};
	const anew = () => {
		setExchanges([]);
		setConversation(newName());
	};
	return (
		<>
			<PageTitle>Chat</PageTitle>
			<section className="card" aria-label="Conversation" aria-live="polite" aria-busy={isActing}>
				{exchanges.length === 0 ? (
					<p className="hint">Ask something. The model is given what is known of the container, and what is said here is remembered in it.</p>
				) : (
					<ol className="chat">
						{exchanges.map((exchange, i) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: exchanges are only ever added
							<ExchangeItem key={i} exchange={exchange} />
						))}
					</ol>
				)}
			</section>
			<Form
				className="card settings"
				onSubmit={(event) => {
					event.preventDefault();
					if (question !== "" && !isActing) attempt(ask);
				}}
			>
				<div className="parameters">
					<NameField
						label="Whose memories"
						names={tags}
						value={asking.container}
						onChange={(named) => setAsking({ ...asking, container: named })}
						description={container === "" ? "A container." : `A container; ${container} is asked.`}
					/>
					{names.length > 0 ? (
						<Choice label="Model" options={names.map((id) => ({ id, label: id }))} value={model} onChange={(named) => setAsking({ ...asking, model: named })} />
					) : (
						<Field label="Model" value={asking.model} onChange={(named) => setAsking({ ...asking, model: named })} description="As the provider calls it." />
					)}
				</div>
				<Field label="Your question" rows={2} value={asking.question} onChange={(words) => setAsking({ ...asking, question: words })} />
				{problem !== null && <Trouble problem={problem} />}
				<div className="actions">
					<Button type="submit" className="button filled" isDisabled={isActing || question === "" || container === "" || model === ""}>
						{isActing ? "Answering…" : "Ask"}
					</Button>
					{exchanges.length > 0 && (
						<Button className="button" isDisabled={isActing} onPress={anew}>
							Begin a new conversation
						</Button>
					)}
				</div>
			</Form>
		</>
	);
}

function ExchangeItem({ exchange: { question, answer, known } }: { readonly exchange: Exchange }) {
	const matching = known?.matching ?? [];
	const shown = new Set(matching.map(({ text }) => text));
	const profile = known === null ? [] : [...new Set([...known.lasting, ...known.recent])].filter((text) => !shown.has(text));
	const count = matching.length + profile.length;
	return (
		<li>
			<p className="asked text">{question}</p>
			<p className="text">{answer}</p>
			{known !== null && count === 0 && <p className="hint">The model was given no memories.</p>}
			{count > 0 && (
				<More label={`Known: ${counted(count, "memory", "memories")}`} about={`for “${question}”`} level={2}>
					{() => (
						<>
							<p className="hint">Of these the model was given what fits into its prompt: the matching ones first, then the profile.</p>
							<ul className="versions">
								{matching.map((item) => (
									<li key={item.id}>
										{item.text}
										<More label="Where it is said" about={`: “${item.text}”`}>
											{() => <EvidenceList item={item} />}
										</More>
									</li>
								))}
								{profile.map((text) => (
									<li key={text}>{text}</li>
								))}
							</ul>
						</>
					)}
				</More>
			)}
		</li>
	);
}

/** No two conversations have the same. */
function newName(): string {
	return `console-${[...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
