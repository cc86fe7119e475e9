/** Mails: EML, mailboxes and Outlook's MSG, with the attachments that are text or mails themselves. */

import { definePlugin, type Extractor } from "cairn-memory";
import { z } from "zod";
import { bytesOf, readInSandbox, textBounds } from "../read-in-sandbox.ts";
import type { MailInput } from "./mail-engine.ts";
import type { MsgInput } from "./msg-engine.ts";

export default definePlugin({
	name: "extractor-mail",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const mail: Extractor = {
			name: "mail",
			accepts: ["message/rfc822", "application/mbox"],
			async extract(source, step) {
				const input: MailInput = { bytes: await bytesOf(source), form: source.mediaType === "application/mbox" ? "mailbox" : "mail" };
				return await readInSandbox({ engine: new URL("./mail-engine.ts", import.meta.url), input, ...textBounds }, host, step);
			},
		};
		const msg: Extractor = {
			name: "msg",
			accepts: ["application/vnd.ms-outlook"],
			async extract(source, step) {
				const input: MsgInput = { bytes: await bytesOf(source) };
				return await readInSandbox({ engine: new URL("./msg-engine.ts", import.meta.url), input, ...textBounds }, host, step);
			},
		};
		return { extractor: [mail, msg] };
	},
});
