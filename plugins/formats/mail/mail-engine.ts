/** Reads mails and mailboxes. Runs in the sandbox. */

import { type Engine, fail, ServiceError } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { SandboxResult } from "../blocks/content.ts";
import { createOutline } from "../blocks/outline.ts";
import { addMail, createMailResults, extractMail, warningsOf } from "./add-mail.ts";
import { readEml } from "./read-eml.ts";
import { splitMbox } from "./split-mbox.ts";

export interface MailInput {
	readonly bytes: Uint8Array;
	readonly format: "mail" | "mailbox";
}

const engine: Engine<MailInput, SandboxResult> = async ({ bytes, format }) =>
	format === "mail" ? await extractMail(await readEml(withoutLength(bytes))) : await readMailbox(bytes);
export default engine;

/** Apple Mail (EMLX) writes the length of a mail on a line before it, and a property list of its own behind it. */
function withoutLength(bytes: Uint8Array): Uint8Array {
	const line = /^(\d{1,12})[ \t]*\r?\n/.exec(Buffer.from(bytes.subarray(0, 32)).toString("latin1"));
	return line === null ? bytes : bytes.subarray(line[0].length, line[0].length + Number(line[1]));
}

/** Reads a mailbox. Unreadable mails are skipped with a warning. */
async function readMailbox(bytes: Uint8Array): Promise<SandboxResult> {
	const outline = createOutline();
	const results = createMailResults();
	let mailCount = 0;
	let unreadableMails = 0;
	for (const part of splitMbox(bytes)) {
		mailCount++;
		try {
			await addMail(await readEml(part), 1, outline, results, `${mailCount}/`);
		} catch (thrown) {
			if (!(thrown instanceof ServiceError)) throw thrown;
			unreadableMails++;
		}
	}
	if (mailCount === 0) throw fail("FILE_BROKEN", "it has no line that starts a mail (`From …`)");
	if (mailCount === unreadableMails) throw fail("FILE_BROKEN", "none of its mails can be read");
	const warnings = [
		...warningsOf(results),
		...(unreadableMails === 0 ? [] : [{ code: "MAILS_SKIPPED", message: `${unreadableMails} of ${mailCount} mails cannot be read` }]),
	];
	return { extraction: completeExtraction({ blocks: outline.blocks, type: "text" }), warnings, attachments: results.attachments };
}
