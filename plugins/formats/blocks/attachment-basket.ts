/** Collects the files that an engine finds inside of a document, up to the limits of what it may return along with the text. */

import { type Attachment, limits, type Warning } from "cairn-memory";

export interface AttachmentBasket {
	readonly attachments: readonly Attachment[];
	/** Files beyond the limits are left out, with one warning. */
	readonly add: (attachment: Attachment) => void;
}

/** In addition to the document's text, see `readInSandbox`. */
const bytesMax = 2 * limits.fileBytesMax;

export function createAttachmentBasket(warnings: Warning[]): AttachmentBasket {
	const attachments: Attachment[] = [];
	let left = bytesMax;
	let isFull = false;
	return {
		attachments,
		add(attachment) {
			const fits = attachments.length < limits.attachmentsMax && attachment.bytes.byteLength <= left;
			if (!fits && !isFull)
				warnings.push({ code: "MEMBERS_UNREAD", message: `files inside beyond ${bytesMax} bytes or ${limits.attachmentsMax} of them were left out` });
			isFull ||= !fits;
			if (!fits) return;
			left -= attachment.bytes.byteLength;
			attachments.push({ ...attachment, bytes: attachment.bytes.slice() });
		},
	};
}
