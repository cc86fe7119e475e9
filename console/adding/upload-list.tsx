/** How far what was added has come, stage by stage. */

import { useSyncExternalStore } from "react";
import { Button, ProgressBar } from "react-aria-components";
import { useConsole } from "../context.ts";
import { sentence } from "../parts/messages.tsx";
import { counted, State, wordsOfState } from "../parts/values.tsx";
import { to } from "../route.ts";
import { isFinished, type Upload } from "./uploads.ts";

const stages = ["waiting", "sending", "queued", "extracting", "chunking", "embedding", "indexing", "done"] as const;
/** Thousands of rows would keep the page from answering. */
const shownMax = 50;

export function useUploads(): readonly Upload[] {
	const { uploads } = useConsole();
	return useSyncExternalStore(uploads.watch, uploads.list);
}

export function UploadList() {
	const { uploads } = useConsole();
	const all = useUploads();
	if (all.length === 0) return null;
	const finished = all.filter(isFinished).length;
	// What has failed, then what is on its way in the order of the queue.
	const shown = all
		.toReversed()
		.toSorted((a, b) => rank(a) - rank(b))
		.slice(0, shownMax);
	return (
		<section aria-labelledby="just-added" className="card">
			<div className="card-title">
				<h2 id="just-added">Just added</h2>
				<span role="status" className="hint">
					{finished} of {all.length} finished
				</span>
				{finished > 0 && (
					<Button className="button quiet" onPress={uploads.clearFinished}>
						Clear finished
					</Button>
				)}
			</div>
			<ul className="rows">
				{shown.map((upload) => (
					<li key={upload.number}>
						<UploadRow upload={upload} />
					</li>
				))}
			</ul>
			{all.length > shown.length && <p className="hint">and {counted(all.length - shown.length, "other")}</p>}
		</section>
	);
}

function rank({ state }: Upload): number {
	if (state === "failed") return 0;
	return state === "done" ? 2 : 1;
}

function UploadRow({ upload }: { readonly upload: Upload }) {
	const { name, state, documentId, problem } = upload;
	return (
		<div className="upload">
			<span className="upload-name">{documentId === null ? name : <a href={to("documents", documentId)}>{name}</a>}</span>
			<State state={state} />
			{!isFinished(upload) && <Stages upload={upload} />}
			{problem !== null && (
				<p className="row-problem">
					{sentence(problem.message)} {problem.remedy !== null && sentence(problem.remedy)}
				</p>
			)}
		</div>
	);
}

function Stages({ upload: { name, state, progress } }: { readonly upload: Upload }) {
	const stage = Math.max(0, (stages as readonly string[]).indexOf(state));
	const part = progress === null || progress.total === 0 ? 0 : progress.done / progress.total;
	const words = progress === null ? wordsOfState(state) : `${wordsOfState(state)}, ${progress.unit} ${progress.done} of ${progress.total}`;
	return (
		<ProgressBar aria-label={name} value={stage + part} maxValue={stages.length - 1} valueLabel={words} className="progress">
			{({ percentage = 0 }) => (
				<>
					<div className="progress-track">
						<div className="progress-bar" style={{ width: `${percentage}%` }} />
					</div>
					{progress !== null && <span className="hint">{words}</span>}
				</>
			)}
		</ProgressBar>
	);
}
