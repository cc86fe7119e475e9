/** Gathers the files that an engine finds inside of a document: no more than it may hand over along with the text. */

import { type Attachment, limits, type Warning } from "cairn-memory";

export interface AttachmentBasket {
	readonly attachments: readonly Attachment[];
	/** What goes beyond the bounds is left out, which is remarked once. */
	readonly add: (attachment: Attachment) => void;
}

/** Beside the text of the document, see `readInSandbox`. */
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
