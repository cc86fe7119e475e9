/** Mails: EML, mailboxes and Outlook's MSG, with the attachments that are text or mails themselves. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import type { BytesInput } from "../../formats/blocks/content.ts";
import type { MailInput } from "../../formats/mail/mail-engine.ts";
import { mailSigns, msgSigns } from "../../formats/mail/signs.ts";
import { bytesOf, extractorOf } from "../read-in-sandbox.ts";

export default definePlugin({
	name: "extractor-mail",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, host) => ({
		extractor: [
			extractorOf<MailInput>(host, {
				name: "mail",
				signs: mailSigns,
				engine: new URL("../../formats/mail/mail-engine.ts", import.meta.url),
				input: async (source) => ({ bytes: await bytesOf(source), form: source.mediaType === "application/mbox" ? "mailbox" : "mail" }),
			}),
			extractorOf<BytesInput>(host, {
				name: "msg",
				signs: msgSigns,
				engine: new URL("../../formats/mail/msg-engine.ts", import.meta.url),
				input: async (source) => ({ bytes: await bytesOf(source) }),
			}),
		],
	}),
});
