/** The keys of the organisation. Only an administrator sees them. */

import { useState } from "react";
import { Button } from "react-aria-components";
import { asProblem, type Problem } from "../api/client.ts";
import { useLoad } from "../api/use-load.ts";
import type { Key } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Trouble, WhenLoaded } from "../parts/messages.tsx";
import { counted, When } from "../parts/values.tsx";
import { NewKey } from "./new-key.tsx";

const shownAtFirst = 50;

/** The newest first: the one that was just made is seen at once. */
export function Keys({ tags }: { readonly tags: readonly string[] }) {
	const { api } = useConsole();
	const loaded = useLoad("keys", (signal) => api.ask<{ readonly keys: readonly Key[] }>("GET", "/v3/auth/keys", undefined, signal));
	const [shown, setShown] = useState(shownAtFirst);
	return (
		<>
			<NewKey tags={tags} onMade={loaded.reload} />
			<section className="card" aria-labelledby="keys">
				<div className="card-title">
					<h2 id="keys">Keys</h2>
				</div>
				<WhenLoaded loaded={loaded}>
					{({ keys }) => (
						<>
							<ul className="rows">
								{keys
									.toReversed()
									.slice(0, shown)
									.map((key) => (
										<li key={key.id}>
											<KeyRow apiKey={key} onChanged={loaded.reload} />
										</li>
									))}
							</ul>
							{keys.length > shown && (
								<div className="actions">
									<Button className="button" onPress={() => setShown(shown + shownAtFirst)}>
										Show older ones of {counted(keys.length, "key")}
									</Button>
								</div>
							)}
						</>
					)}
				</WhenLoaded>
			</section>
		</>
	);
}

function KeyRow({
	apiKey: { id, name, role, containerTags, enabled, expiresAt, createdAt },
	onChanged,
}: {
	readonly apiKey: Key;
	readonly onChanged: () => void;
}) {
	const { api, session } = useConsole();
	const [problem, setProblem] = useState<Problem | null>(null);
	const isOwn = session.user.id === id;
	const path = `/v3/auth/keys/${encodeURIComponent(id)}`;
	const toggle = async () => {
		try {
			await api.ask("PUT", `${path}/toggle`, { enabled: !enabled });
			onChanged();
		} catch (thrown) {
			setProblem(asProblem(thrown));
		}
	};
	const revoke = async () => {
		await api.ask("DELETE", path);
		onChanged();
	};
	return (
		<article className="row" aria-label={name}>
			<div className="row-main">
				<span className={enabled ? "row-title" : "row-title forgotten"}>{name}</span>
				<span className="hint">
					{role} · {containerTags === null ? "all containers" : containerTags.map(({ containerTag }) => containerTag).join(", ")} · made{" "}
					<When time={createdAt} />
					{expiresAt !== null && (
						<>
							{" "}
							· expires <When time={expiresAt} />
						</>
					)}
					{!enabled && " · turned off"}
					{isOwn && " · you are signed in with it"}
				</span>
			</div>
			{!isOwn && (
				<div className="row-side">
					<Button className="button quiet" aria-label={`Turn ${enabled ? "off" : "on"} “${name}”`} onPress={() => void toggle()}>
						Turn {enabled ? "off" : "on"}
					</Button>
					<Confirm
						label="Revoke"
						about={`“${name}”`}
						question={`Revoke “${name}”?`}
						consequence="Whoever uses this key is refused from now on. This cannot be undone; to pause it, turn it off instead."
						action="Revoke"
						onConfirm={revoke}
					/>
				</div>
			)}
			{problem !== null && <Trouble problem={problem} />}
		</article>
	);
}
