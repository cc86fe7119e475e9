/** Mails: EML, mailboxes (mbox) and Outlook's MSG, including attachments that are text or mails themselves. */

import type { MailInput } from "../../formats/mail/mail-engine.ts";
import { mailSignatures, msgSignatures } from "../../formats/mail/signatures.ts";
import { bytesInput, bytesOf, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors(
	"extractor-mail",
	{
		name: "mail",
		signatures: mailSignatures,
		engine: new URL("../../formats/mail/mail-engine.ts", import.meta.url),
		input: async (source): Promise<MailInput> => ({ bytes: await bytesOf(source), format: source.mediaType === "application/mbox" ? "mailbox" : "mail" }),
	},
	{
		name: "msg",
		signatures: msgSignatures,
		engine: new URL("../../formats/mail/msg-engine.ts", import.meta.url),
		input: bytesInput,
	},
);
