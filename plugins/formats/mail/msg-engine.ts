/** Reads MSG files of Outlook. Runs in the sandbox. */

import { completeExtraction, type Engine } from "cairn-memory";
import type { BytesInput, SandboxResult } from "../blocks/content.ts";
import { createOutline } from "../blocks/outline.ts";
import { addMail, nothingAside, warningsOf } from "./add-mail.ts";
import { readMsg } from "./read-msg.ts";

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }) => {
	const mail = readMsg(bytes);
	const outline = createOutline();
	const aside = nothingAside();
	await addMail(mail, 1, outline, aside);
	const extraction = completeExtraction({ blocks: outline.blocks, titles: [mail.subject], type: "text" });
	return { extraction, warnings: warningsOf(aside), attachments: aside.attachments };
};
export default engine;
