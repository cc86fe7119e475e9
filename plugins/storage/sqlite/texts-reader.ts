/** The thread that reads parts of very long texts, see `textsThread`. */

import { parentPort, workerData } from "node:worker_threads";
import { openReads } from "./reads.ts";
import type { AskedPart, PartAnswer, TextsReaderData } from "./texts-thread.ts";
import { postFailure } from "./writer-protocol.ts";

const { file }: TextsReaderData = workerData;
const { statement, close } = openReads(file);

parentPort?.on("message", (asked: AskedPart | "close") => {
	if (asked === "close") {
		close();
		parentPort?.close();
		return;
	}
	const { id, sql, params } = asked;
	try {
		const row = statement<{ part: Uint8Array<ArrayBuffer> }>(sql).get(...params);
		const answer: PartAnswer = { id, ok: true, part: row?.part ?? null };
		parentPort?.postMessage(answer, row === null ? [] : [row.part.buffer]);
	} catch (thrown) {
		const answer: PartAnswer = { id, ok: false, failure: postFailure(thrown) };
		parentPort?.postMessage(answer);
	}
});
