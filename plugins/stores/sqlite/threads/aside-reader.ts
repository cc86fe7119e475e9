/** The thread that reads what takes long, see `asideThread`. */

import { parentPort, workerData } from "node:worker_threads";
import type { Question } from "../../sql/executor.ts";
import { type Answer, postFailure } from "../writer/writer-protocol.ts";
import type { AsideReaderData, Asked } from "./aside-thread.ts";
import { openReads } from "./reads.ts";

const { file }: AsideReaderData = workerData;
const { statement, close } = openReads(file);

parentPort?.on("message", (asked: Asked | "close") => {
	if (asked === "close") {
		close();
		parentPort?.close();
		return;
	}
	const { id, want } = asked;
	try {
		const found = want === "part" ? partOf(asked) : rowsOf(asked);
		const answer: Answer = { id, ok: true, result: found };
		parentPort?.postMessage(answer, found instanceof Uint8Array ? [found.buffer] : []);
	} catch (thrown) {
		const answer: Answer = { id, ok: false, failure: postFailure(thrown) };
		parentPort?.postMessage(answer);
	}
});

function partOf({ sql, params }: Question): Uint8Array<ArrayBuffer> | null {
	return statement<{ part: Uint8Array<ArrayBuffer> }>(sql).get(...params)?.part ?? null;
}

function rowsOf({ sql, params }: Question): string {
	return JSON.stringify(statement<unknown>(sql).all(...params));
}
