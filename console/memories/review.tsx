/** What waits for a person's word: facts that have aged, and what was inferred and never said. */

import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { asProblem, type Problem } from "../api/client.ts";
import { type Loaded, useLoad } from "../api/use-load.ts";
import type { DueMemories, InferredMemories } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Empty, Trouble, WhenLoaded } from "../parts/messages.tsx";
import { counted, When } from "../parts/values.tsx";
import { CorrectForm } from "./correct-form.tsx";
import { Forget } from "./memory-acts.tsx";

const dueShown = 50;

export function Review({ container }: { readonly container: string }) {
	return (
		<div className="columns">
			<Aged container={container} />
			<Inferred container={container} />
		</div>
	);
}

function Aged({ container }: { readonly container: string }) {
	const { api, mayWrite } = useConsole();
	const path = `/v4/memories/review?${new URLSearchParams({ containerTag: container, limit: String(dueShown) })}`;
	const loaded = useLoad(path, (signal) => api.ask<DueMemories>("GET", path, undefined, signal));
	return (
		<Waiting title="Still so?" about="Facts that age, such as a job, an address or a plan." empty="No fact waits for a review." loaded={loaded}>
			{({ memories }) =>
				memories.map(({ id, memory, reviewAfter }) => (
					<li key={id}>
						<article className="row" aria-label={memory}>
							<div className="row-main">
								<span className="memory">{memory}</span>
								{reviewAfter !== null && (
									<span className="hint">
										due <When time={reviewAfter} />
									</span>
								)}
							</div>
							{mayWrite && <AgedActs id={id} text={memory} container={container} onChanged={loaded.reload} />}
						</article>
					</li>
				))
			}
		</Waiting>
	);
}

interface ActsProps {
	readonly id: string;
	readonly text: string;
	readonly container: string;
	readonly onChanged: () => void;
}

function AgedActs({ id, text, container, onChanged }: ActsProps) {
	const { api, say } = useConsole();
	const [problem, setProblem] = useState<Problem | null>(null);
	const [isCorrecting, setCorrecting] = useState(false);
	const confirm = async () => {
		try {
			await api.ask("POST", "/v4/memories/confirm", { containerTag: container, id });
			say({ text: `“${text}” still is so. It will be asked about again.` });
			onChanged();
		} catch (thrown) {
			setProblem(asProblem(thrown));
		}
	};
	return (
		<>
			<div className="row-side">
				<Button className="button" aria-label={`Still so: “${text}”`} onPress={() => void confirm()}>
					Still so
				</Button>
				<Button className="button quiet" aria-label={`Correct “${text}”`} onPress={() => setCorrecting(true)}>
					Correct
				</Button>
				<Forget id={id} text={text} container={container} onChanged={onChanged} />
			</div>
			{isCorrecting && <CorrectForm id={id} text={text} container={container} onChanged={onChanged} close={() => setCorrecting(false)} />}
			{problem !== null && <Trouble problem={problem} />}
		</>
	);
}

function Inferred({ container }: { readonly container: string }) {
	const { api, mayWrite } = useConsole();
	const path = `/v3/container-tags/${encodeURIComponent(container)}/inferred`;
	const loaded = useLoad(path, (signal) => api.ask<InferredMemories>("GET", path, undefined, signal));
	return (
		<Waiting title="Inferred" about="Nobody said these: they follow from what was said." empty="Nothing inferred waits for a review." loaded={loaded}>
			{({ memories }) =>
				memories.map(({ id, memory, parentCount }) => (
					<li key={id}>
						<article className="row" aria-label={memory}>
							<div className="row-main">
								<span className="memory">{memory}</span>
								{parentCount > 0 && <span className="hint">from {counted(parentCount, "memory", "memories")}</span>}
							</div>
							{mayWrite && <InferredActs id={id} text={memory} container={container} onChanged={loaded.reload} />}
						</article>
					</li>
				))
			}
		</Waiting>
	);
}

function InferredActs({ id, text, container, onChanged }: ActsProps) {
	const { api, say } = useConsole();
	const [problem, setProblem] = useState<Problem | null>(null);
	const path = `/v3/container-tags/${encodeURIComponent(container)}/inferred/${encodeURIComponent(id)}/review`;
	const decide = async (action: "approve" | "decline") => {
		try {
			await api.ask("POST", path, { action });
			const undo = async () => {
				await api.ask("POST", path, { action: "undo" });
				onChanged();
			};
			say({ text: `“${text}” was ${action === "approve" ? "accepted" : "declined"}.`, undo });
			onChanged();
		} catch (thrown) {
			setProblem(asProblem(thrown));
		}
	};
	return (
		<>
			<div className="row-side">
				<Button className="button" aria-label={`Accept “${text}”`} onPress={() => void decide("approve")}>
					Accept
				</Button>
				<Button className="button quiet danger" aria-label={`Decline “${text}”`} onPress={() => void decide("decline")}>
					Decline
				</Button>
			</div>
			{problem !== null && <Trouble problem={problem} />}
		</>
	);
}

interface WaitingProps<Answer> {
	readonly title: string;
	readonly about: string;
	readonly empty: string;
	readonly loaded: Loaded<Answer>;
	readonly children: (answer: Answer) => readonly ReactNode[];
}

function Waiting<Answer>({ title, about, empty, loaded, children }: WaitingProps<Answer>) {
	return (
		<section className="card" aria-label={title}>
			<div className="card-title">
				<h2>{title}</h2>
			</div>
			<p className="hint">{about}</p>
			<WhenLoaded loaded={loaded}>
				{(answer) => {
					const rows = children(answer);
					return rows.length === 0 ? <Empty title={empty} /> : <ul className="rows">{rows}</ul>;
				}}
			</WhenLoaded>
		</section>
	);
}
