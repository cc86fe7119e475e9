/** The thread for long reads, see `asideThread`. */

import { parentPort, workerData } from "node:worker_threads";
import type { Question } from "../../sql/executor.ts";
import { type Answer, postFailure } from "../writer/writer-protocol.ts";
import type { AsideReaderData, AsideRequest } from "./aside-thread.ts";
import { openReads } from "./reads.ts";

const { file }: AsideReaderData = workerData;
const { statement, close } = openReads(file);

parentPort?.on("message", (request: AsideRequest | "close") => {
	if (request === "close") {
		close();
		parentPort?.close();
		return;
	}
	const { id, want } = request;
	try {
		const result = want === "part" ? partOf(request) : rowsOf(request);
		const answer: Answer = { id, ok: true, result };
		parentPort?.postMessage(answer, result instanceof Uint8Array ? [result.buffer] : []);
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
