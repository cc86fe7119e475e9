/** The MCP clients that people have let in with a key, and the end of their access. */

import { useLoad } from "../api/use-load.ts";
import type { Consent } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Empty, WhenLoaded } from "../parts/messages.tsx";
import { When } from "../parts/values.tsx";

export function Clients() {
	const { api, mayAdminister } = useConsole();
	const loaded = useLoad("consents", (signal) => api.ask<{ readonly consents: readonly Consent[] }>("GET", "/v3/auth/consents", undefined, signal));
	return (
		<section className="card" aria-labelledby="clients">
			<div className="card-title">
				<h2 id="clients">Connected clients</h2>
			</div>
			<WhenLoaded loaded={loaded}>
				{({ consents }) =>
					consents.length === 0 ? (
						<Empty title={mayAdminister ? "No client is connected." : "No client is connected with this key."}>
							<p>
								Clients that <a href="/docs/mcp#sign-in-by-oauth">sign in by OAuth</a> appear here. What uses a key itself does not.
							</p>
						</Empty>
					) : (
						<ul className="rows">
							{consents.map((consent) => (
								<li key={consent.id}>
									<ClientRow consent={consent} onEnded={loaded.reload} />
								</li>
							))}
						</ul>
					)
				}
			</WhenLoaded>
		</section>
	);
}

function ClientRow({ consent, onEnded }: { readonly consent: Consent; readonly onEnded: () => void }) {
	const { api, session } = useConsole();
	const { id, client, origin, permission, containerTag, key, lastUsedAt } = consent;
	const name = client ?? origin;
	const end = async () => {
		await api.ask("DELETE", `/v3/auth/consents/${encodeURIComponent(id)}`);
		onEnded();
	};
	return (
		<article className="row" aria-label={name}>
			<div className="row-main">
				<span className="row-title">{name}</span>
				<span className="hint">
					{client !== null && `${origin} · `}
					{permission === "write" ? "reads and writes" : "only reads"} · {containerTag ?? "all containers of the key"}
					{key.id !== session.user.id && ` · with the key ${key.name}`} · last used <When time={lastUsedAt} />
				</span>
			</div>
			<div className="row-side">
				<Confirm
					label="Disconnect"
					about={`“${name}”`}
					question={`Disconnect “${name}”?`}
					consequence="Its access ends at once. To use it again, somebody has to sign in and allow it again."
					action="Disconnect"
					onConfirm={end}
				/>
			</div>
		</article>
	);
}
