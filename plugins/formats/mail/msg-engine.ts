/** Reads MSG files of Outlook. Runs in the sandbox. */

import type { Engine } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { BytesInput, SandboxResult } from "../blocks/content.ts";
import { createOutline } from "../blocks/outline.ts";
import { addMail, createMailResults, warningsOf } from "./add-mail.ts";
import { readMsg } from "./read-msg.ts";

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }) => {
	const mail = readMsg(bytes);
	const outline = createOutline();
	const results = createMailResults();
	await addMail(mail, 1, outline, results);
	const extraction = completeExtraction({ blocks: outline.blocks, titles: [mail.subject], type: "text" });
	return { extraction, warnings: warningsOf(results), attachments: results.attachments };
};
export default engine;
