/** The backups of the server: those that are kept, and one that is taken now. */

import { Button } from "react-aria-components";
import { useLoad } from "../api/use-load.ts";
import type { Backups as BackupList, BackupRun } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Empty, Trouble, WhenLoaded } from "../parts/messages.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { When, wordsOfBytes } from "../parts/values.tsx";

const lookMs = 1_000;

export function Backups() {
	const { api, say } = useConsole();
	const { problem, isActing, attempt } = useAttempt();
	const loaded = useLoad(
		"backups",
		(signal) => api.ask<BackupList>("GET", "/v3/backups", undefined, signal),
		({ running }) => (running === null ? null : lookMs),
	);
	const start = async () => {
		await api.ask<BackupRun>("POST", "/v3/backups");
		say({ text: "A backup has begun." });
		loaded.reload();
	};
	return (
		<section className="card" aria-labelledby="backups">
			<div className="card-title">
				<h2 id="backups">Backups</h2>
				{loaded.value?.place != null && (
					<Button className="button" isDisabled={isActing || loaded.value.running !== null} onPress={() => attempt(start)}>
						Take a backup now
					</Button>
				)}
			</div>
			{problem !== null && <Trouble problem={problem} />}
			<WhenLoaded loaded={loaded}>{(list) => <Kept list={list} />}</WhenLoaded>
		</section>
	);
}

function Kept({ list: { place, kind, everyHours, kept, running, lastFailure, backups } }: { readonly list: BackupList }) {
	if (place === null) return <Empty title="This server takes no backups: its operator sets CAIRN_BACKUP_DIR to a folder or a bucket." />;
	return (
		<>
			<p>
				One every {everyHours === 1 ? "hour" : `${everyHours} hours`} ({kind}), the newest {kept} are kept, in <code>{place}</code>.
			</p>
			{running !== null && <Progress run={running} />}
			{lastFailure?.error != null && (
				<p className="row-problem" role="status">
					The last one failed: {lastFailure.error.message}
				</p>
			)}
			{backups.length === 0 ? (
				<Empty title="There is no backup yet." />
			) : (
				<ul className="rows">
					{backups.map(({ name, createdAt, kind: own, bytes }) => (
						<li key={name}>
							<article className="row" aria-label={name}>
								<div className="row-main">
									<span className="row-title">{name}</span>
									<span className="hint">
										<When time={createdAt} /> · {own === "full" ? `full, ${wordsOfBytes(bytes)}` : "incremental"}
									</span>
								</div>
							</article>
						</li>
					))}
				</ul>
			)}
		</>
	);
}

function Progress({ run: { bytesDone, bytesTotal } }: { readonly run: BackupRun }) {
	const words = bytesTotal === 0 ? "The tables are copied …" : `${wordsOfBytes(bytesDone)} of ${wordsOfBytes(bytesTotal)} are written …`;
	return <p role="status">{words}</p>;
}
