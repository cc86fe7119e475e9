/** One line per document with a bar that moves through the stages. On a terminal the lines are redrawn; elsewhere each is printed when its document is finished. */

import type { DocumentState } from "./client.ts";

const stages = ["queued", "extracting", "chunking", "embedding", "indexing", "done"];
const barWidth = 20;

export interface Board {
	readonly show: (name: string, document: DocumentState, elapsedMs: number) => void;
}

export function createBoard(names: readonly string[], out: NodeJS.WriteStream): Board {
	const width = Math.max(...names.map(({ length }) => length));
	const lines = new Map(names.map((name) => [name, lineOf(name.padEnd(width), null, 0)]));
	const finished = new Set<string>();
	if (out.isTTY) draw(false);

	function draw(again: boolean): void {
		out.write(`${again ? `\u001b[${lines.size}A` : ""}${[...lines.values()].map((line) => `\u001b[2K  ${line}\n`).join("")}`);
	}

	return {
		show: (name, document, elapsedMs) => {
			if (finished.has(name)) return;
			const line = lineOf(name.padEnd(width), document, elapsedMs);
			lines.set(name, line);
			if (document.status === "failed" || (document.status === "done" && document.dreamingStatus === "done")) finished.add(name);
			if (out.isTTY) draw(true);
			else if (finished.has(name)) out.write(`  ${line}\n`);
		},
	};
}

function lineOf(name: string, document: DocumentState | null, elapsedMs: number): string {
	if (document === null) return `${name}  ${bar(0)}  waiting`;
	const { status, dreamingStatus, progress, error } = document;
	const time = `${(elapsedMs / 1_000).toFixed(2).padStart(6)} s`;
	if (status === "failed") return `${name}  ${bar(0)}  failed      ${time}  ${error?.code}: ${error?.message}`;
	const within = progress === null || progress.total === 0 ? 0 : progress.done / progress.total;
	const share = (Math.max(0, stages.indexOf(status)) + within) / (stages.length - 1);
	const detail = progress === null || status === "done" ? "" : `  ${progress.unit} ${progress.done} of ${progress.total}`;
	const stage = status === "done" && dreamingStatus !== "done" ? "remembering" : status;
	return `${name}  ${bar(share)}  ${stage.padEnd(11)} ${time}${detail}`;
}

function bar(share: number): string {
	const full = Math.round(Math.min(1, share) * barWidth);
	return `${"█".repeat(full)}${"░".repeat(barWidth - full)}`;
}
