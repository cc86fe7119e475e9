/** Reads mails and mailboxes. Runs in the sandbox. */

import { completeExtraction, type Engine, fail, ServiceError } from "cairn-memory";
import type { SandboxResult } from "../blocks/content.ts";
import { createOutline } from "../blocks/outline.ts";
import { addMail, nothingAside, warningsOf } from "./add-mail.ts";
import { readEml } from "./read-eml.ts";
import { splitMbox } from "./split-mbox.ts";

export interface MailInput {
	readonly bytes: Uint8Array;
	readonly form: "mail" | "mailbox";
}

const engine: Engine<MailInput, SandboxResult> = async ({ bytes, form }) => (form === "mail" ? await readOne(bytes) : await readMany(bytes));
export default engine;

async function readOne(bytes: Uint8Array): Promise<SandboxResult> {
	const mail = await readEml(bytes);
	const outline = createOutline();
	const aside = nothingAside();
	await addMail(mail, 1, outline, aside);
	const extraction = completeExtraction({ blocks: outline.blocks, titles: [mail.subject], type: "text" });
	return { extraction, warnings: warningsOf(aside), attachments: aside.attachments };
}

/** An unreadable mail does not prevent reading the others. */
async function readMany(bytes: Uint8Array): Promise<SandboxResult> {
	const outline = createOutline();
	const aside = nothingAside();
	let mails = 0;
	let broken = 0;
	for (const part of splitMbox(bytes)) {
		mails++;
		try {
			await addMail(await readEml(part), 1, outline, aside, `${mails}/`);
		} catch (thrown) {
			if (!(thrown instanceof ServiceError)) throw thrown;
			broken++;
		}
	}
	if (mails === 0) throw fail("FILE_BROKEN", "it has no line that begins a mail");
	if (mails === broken) throw fail("FILE_BROKEN", "none of its mails can be read");
	const warnings = [...warningsOf(aside), ...(broken === 0 ? [] : [{ code: "MAILS_SKIPPED", message: `${broken} of ${mails} mails cannot be read` }])];
	return { extraction: completeExtraction({ blocks: outline.blocks, type: "text" }), warnings, attachments: aside.attachments };
}
