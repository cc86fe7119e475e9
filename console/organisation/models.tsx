/** The models of the server: the language model, and the embedder, which is switched here. */

import { useLoad } from "../api/use-load.ts";
import type { ServerState, Usage } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Confirm } from "../parts/confirm.tsx";
import { WhenLoaded } from "../parts/messages.tsx";

const lookMs = 1_000;

export function Models() {
	const { mayOperate } = useConsole();
	return (
		<>
			<LanguageModel />
			{mayOperate && <Embedders />}
		</>
	);
}

function LanguageModel() {
	const { api } = useConsole();
	const loaded = useLoad("language model", (signal) => api.ask<Usage>("GET", "/v3/usage", undefined, signal));
	return (
		<section className="card" aria-labelledby="language-model">
			<div className="card-title">
				<h2 id="language-model">Language model</h2>
				<a href="/docs/models">How to connect one</a>
			</div>
			<WhenLoaded loaded={loaded}>
				{({ model }) => <p>{model === null ? "None is configured: memories are extracted by rules." : `Memories are extracted by ${model}.`}</p>}
			</WhenLoaded>
		</section>
	);
}

function Embedders() {
	const { api } = useConsole();
	const loaded = useLoad(
		"embedders",
		(signal) => api.ask<ServerState>("GET", "/v3/server", undefined, signal),
		({ embedder: { active, requested } }) => (active === requested ? null : lookMs),
	);
	return (
		<section className="card" aria-labelledby="embedders">
			<div className="card-title">
				<h2 id="embedders">Embedders</h2>
			</div>
			<p className="hint">An embedder makes the vectors by which texts are found by their meaning.</p>
			<WhenLoaded loaded={loaded}>
				{({ embedder }) => (
					<ul className="rows">
						{embedder.known.map((name) => (
							<li key={name}>
								<EmbedderRow name={name} embedder={embedder} onChanged={loaded.reload} />
							</li>
						))}
					</ul>
				)}
			</WhenLoaded>
		</section>
	);
}

interface RowProps {
	readonly name: string;
	readonly embedder: ServerState["embedder"];
	readonly onChanged: () => void;
}

function EmbedderRow({ name, embedder, onChanged }: RowProps) {
	const { api, say } = useConsole();
	const use = async () => {
		await api.ask("PUT", "/v3/server/embedder", { use: name });
		say({ text: `The vectors of ${name} are being computed.` });
		onChanged();
	};
	return (
		<article className="row" aria-label={name}>
			<div className="row-main">
				<span className="row-title">{name}</span>
				<span className="hint" role="status">
					{stateOf(name, embedder)}
				</span>
			</div>
			{name !== embedder.requested && (
				<div className="row-side">
					<Confirm
						label="Use"
						about={name}
						question={`Use ${name} for searches?`}
						consequence="The vectors of all that is stored are computed in the background. Until they are there, searches go on as before. You can switch back."
						action="Switch"
						onConfirm={use}
					/>
				</div>
			)}
		</article>
	);
}

function stateOf(name: string, { active, configured, requested, next, previous }: RowProps["embedder"]): string {
	const words = [
		name === active && "searches use it",
		name === next?.name && `${Math.floor(next.share * 100)} % of its vectors are computed`,
		name === requested && name !== active && name !== next?.name && "asked for",
		name === previous && "its vectors are still there",
		name === configured && "in the settings of the server",
	];
	return words.filter(Boolean).join(" · ");
}
