/** Connections: services outside whose documents are kept here as they are there, and how their syncs went. */

import { useState } from "react";
import { Button } from "react-aria-components";
import { useLoad } from "../api/use-load.ts";
import type { Connection, SyncRun } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Tick } from "../parts/fields.tsx";
import { Empty, Trouble, WhenLoaded } from "../parts/messages.tsx";
import { More } from "../parts/more.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { counted, When } from "../parts/values.tsx";
import { NewConnection } from "./new-connection.tsx";

const lookMs = 2_000;

export function Connections() {
	const { api } = useConsole();
	const loaded = useLoad("connections", (signal) => api.ask<readonly Connection[]>("POST", "/v3/connections/list", {}, signal), pauseOf);
	return (
		<>
			<NewConnection onMade={loaded.reload} />
			<section className="card" aria-labelledby="connections">
				<div className="card-title">
					<h2 id="connections">Connections</h2>
				</div>
				<WhenLoaded loaded={loaded}>
					{(connections) =>
						connections.length === 0 ? (
							<Empty title="Nothing outside is kept in sync." />
						) : (
							<ul className="rows">
								{connections.map((connection) => (
									<li key={connection.id}>
										<ConnectionRow connection={connection} onChanged={loaded.reload} />
									</li>
								))}
							</ul>
						)
					}
				</WhenLoaded>
			</section>
		</>
	);
}

/** A connection that was just made has no sync yet. */
function pauseOf(connections: readonly Connection[]): number | null {
	return connections.some(({ lastSyncRun }) => lastSyncRun === undefined || lastSyncRun.status === "running") ? lookMs : null;
}

/** What a connection reads, as far as its provider is known here. */
function sourceOf({ provider, email, metadata }: Connection): string {
	const said = metadata["startUrl"] ?? metadata["bucket"] ?? email;
	return typeof said === "string" ? said : provider;
}

function ConnectionRow({ connection, onChanged }: { readonly connection: Connection; readonly onChanged: () => void }) {
	const { api, say } = useConsole();
	const { problem, attempt } = useAttempt();
	const [isKeeping, setKeeping] = useState(false);
	const { id, provider, containerTags, nextSyncAt, lastSyncRun } = connection;
	const source = sourceOf(connection);
	const sync = async () => {
		await api.ask("POST", `/v3/connections/${encodeURIComponent(provider)}/import`, { containerTags });
		say({ text: "A sync has begun." });
		onChanged();
	};
	const remove = async () => {
		await api.ask("DELETE", `/v3/connections/${encodeURIComponent(id)}?deleteDocuments=${!isKeeping}`);
		onChanged();
	};
	return (
		<article className="row" aria-label={source}>
			<div className="row-main">
				<span className="row-title">{source}</span>
				<span className="hint">
					{provider} · into {containerTags.join(", ")}
					{nextSyncAt !== null && (
						<>
							{" "}
							· next sync <When time={nextSyncAt} />
						</>
					)}
				</span>
				{lastSyncRun !== undefined && <RunWords run={lastSyncRun} />}
			</div>
			<div className="row-side">
				<Button className="button quiet" aria-label={`Sync now: “${source}”`} onPress={() => attempt(sync)}>
					Sync now
				</Button>
				<Confirm
					label="Delete"
					about={`“${source}”`}
					question={`Delete the connection to “${source}”?`}
					consequence="It is not synced any more, and its documents go with it unless you keep them. This cannot be undone."
					action="Delete"
					onConfirm={remove}
				>
					<Tick isSelected={isKeeping} onChange={setKeeping}>
						Keep its documents
					</Tick>
				</Confirm>
			</div>
			{problem !== null && <Trouble problem={problem} />}
			<More label="Syncs" about={`of “${source}”`}>
				{() => <Runs id={id} />}
			</More>
		</article>
	);
}

const statusWords: Readonly<Record<SyncRun["status"], string>> = { running: "syncing", completed: "synced", failed: "the sync failed" };

function RunWords({ run: { status, startedAt, documentsSynced, documentsRemoved, error, progress } }: { readonly run: Omit<SyncRun, "id" | "remarks"> }) {
	return (
		<span className={status === "failed" ? "row-problem" : "hint"}>
			{statusWords[status]} · {counted(documentsSynced, "document")} added or changed
			{documentsRemoved > 0 && `, ${documentsRemoved} removed`}
			{status === "running" && progress !== undefined && ` · ${progress.done} of ${progress.total}`} · begun <When time={startedAt} />
			{error !== undefined && ` · ${error}`}
		</span>
	);
}

function Runs({ id }: { readonly id: string }) {
	const { api } = useConsole();
	const path = `/v3/connections/${encodeURIComponent(id)}/sync-runs`;
	const loaded = useLoad(path, (signal) => api.ask<{ readonly syncRuns: readonly SyncRun[] }>("GET", path, undefined, signal));
	return (
		<WhenLoaded loaded={loaded}>
			{({ syncRuns }) =>
				syncRuns.length === 0 ? (
					<p className="hint">It has not been synced yet.</p>
				) : (
					<ul className="versions">
						{syncRuns.map((run) => (
							<li key={run.id}>
								<RunWords run={run} />
								{run.remarks.map(({ code, message }) => (
									<p key={`${code} ${message}`} className="hint">
										{message}
									</p>
								))}
							</li>
						))}
					</ul>
				)
			}
		</WhenLoaded>
	);
}
